/*
 * The scripts of a table's page that shows the sheet without the form. The cache comes first, to see the page as it was sent.
 */
import "./kept.js";
import "./reach.js";
import "./watch.js";
