/** Every text of the console, so that it can be translated. Each page has a file of its own. */

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
import { rules } from "./rules";
import { settings } from "./settings";
import { shell } from "./shell";
import { status } from "./status";
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
  ...rules,
  ...settings,
  ...shell,
  ...status,
  ...table,
};
