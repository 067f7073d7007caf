/*
 * The table's page on an evening with a tariff: all that runs on the page of any other, and the drawer of the Kasse. One file, because most of
 * what the drawer needs is there already.
 */
import "./page.js";
import "./cash.js";
