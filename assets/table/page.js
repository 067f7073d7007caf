/*
 * The scripts of the table's page with a form for games. The cache comes first, to see the page as it was sent.
 */
import "./kept.js";
import "./reach.js";
import "./watch.js";
import "./entry.js";
