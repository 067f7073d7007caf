/*
 * All that runs on the table's page where a game can be typed. First what keeps the page takes it as it was sent.
 */
import "./kept.js";
import "./reach.js";
import "./watch.js";
import "./entry.js";
