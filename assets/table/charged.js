/*
 * The table's page on an evening with a tariff: the scripts of page.js and the drawer of the Kasse, in one file, because they share most of
 * their code.
 */
import "./page.js";
import "./cash.js";
