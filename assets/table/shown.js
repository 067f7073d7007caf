/*
 * All that runs on a table's page that shows the sheet without the form for games. First what keeps the page takes it as it was sent.
 */
import "./kept.js";
import "./reach.js";
import "./watch.js";
