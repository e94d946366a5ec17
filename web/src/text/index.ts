/**
 * The texts of the console, so that it can be translated. Each page has a file of its own. Those of the
 * rules and of the server's state are not here, so that the table does not load them.
 */

import { campaign } from "./campaign";
import { doors } from "./doors";
import { draws } from "./draws";
import { errors } from "./errors";
import { join } from "./join";
import { luck } from "./luck";
import { menu } from "./menu";
import { people } from "./people";
import { proof } from "./proof";
import { playing } from "./playing";
import { review } from "./review";
import { settings } from "./settings";
import { shell } from "./shell";
import { table } from "./table";

export { capitalised, fill, inside, label, signed, words } from "./words";
export const text = {
  ...campaign,
  ...doors,
  ...draws,
  ...errors,
  ...join,
  ...luck,
  ...menu,
  ...people,
  ...proof,
  playing,
  ...review,
  ...settings,
  ...shell,
  ...table,
};
