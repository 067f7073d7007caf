/*
 * The page that corrects or inserts a line: the pills help there as well. The server shows what changes.
 */
import { preparePills, refreshPills } from "./pills.js";

preparePills(refreshPills);
refreshPills();
