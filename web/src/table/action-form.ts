/** The form of an action: what people give, what is wrong with it, and the command that it sends. */

import { ApiError, type Choice, type Command, type Controls } from "../api/client";
import { type CommandSchemas, type FieldSchema, fieldType, isCreation, newIdFieldOf } from "../api/command-schemas";
import { newEntityId } from "../api/ids";
import { label, text } from "../text";

type Single = boolean | number | string;
export type Value = Single | readonly Single[];

/** What people gave by field: what they wrote, the JSON of a value that they chose, or what they ticked. */
export type Given = Record<string, Single | string[] | null | undefined>;

/** What is wrong with what people gave, by field. */
export type Wrongs = Record<string, string>;

export interface FormField {
  name: string;
  title: string;
  hint: string;
  isRequired: boolean;
  /** A choice has a list or a button for each value. `ticks` are several values of a list, a `tick` is yes or no. */
  kind: "text" | "long" | "number" | "choice" | "buttons" | "ticks" | "tick";
  values: readonly Value[];
  schema: FieldSchema;
}

/** What the forms of a table depend on. */
export interface FormTable {
  acting?: string | undefined;
  seat?: string | undefined;
  schemas: CommandSchemas;
  controls: Partial<Controls>;
  session?: { table: { entities?: Record<string, { seat?: string }>; decks?: object } } | undefined;
}

export interface ActionForm {
  kind: string;
  example: Partial<Command>;
  /** What the form asks for. A new entity gets its id, `newIdField`, from its name. */
  fields: FormField[];
  newIdField: string | undefined;
  /** The fields that every command needs, and the optional ones that people mostly give. */
  wanted: FormField[];
  likely: FormField[];
  /** Whether one press sends the command: there is only one choice of each field. */
  isSimple: boolean;
  /** Whom or what the command is about, and with what, if there is only one choice. */
  about: Value[];
  /** The only field that people have to choose, if it has few values. Each is a button then. */
  tapped: FormField | undefined;
  /** Whether the values to tap are characters. */
  isTargeted: boolean;
  hasOptional: boolean;
}

/** The most values of a field that are shown as buttons of their own. */
const MOST_BUTTONS = 10;
/** The most values of a field in a form that are shown side by side. */
const MOST_IN_A_ROW = 5;
/** The server lists all numbers of a field if there are at most so many. */
const MOST_LISTED = 24;
/** A text of more characters than this gets several lines. */
const LONG_TEXT = 200;

/**
 * Whether a field has only one value, which needs no choice. Whom a harmful command is for, and
 * who rolls, is always chosen by people unless it is a character of their own.
 */
export function isSettled(table: FormTable, choice: Choice, name: string): boolean {
  const listed = choice.values?.[name] ?? [];
  const entity = table.session?.table.entities?.[String(listed[0])];
  const isRoll = name === "entity" && Boolean(choice.odds ?? choice.success);
  const isHarmful = table.controls.harmful?.includes(choice.kind) ?? false;
  return listed.length === 1 && !((isRoll || isHarmful) && entity && entity.seat !== table.seat);
}

/** Whether an example may be sent as it is: it names nothing that people have to choose or write. */
export function isComplete(table: FormTable, choice: Choice): boolean {
  const { kind: _, ...given } = choice.example as Command;
  if (hasJointNumbers(table, choice)) return false;
  return Object.keys(given).every(
    (name) => (name === "entity" && given[name] === table.acting) || isSettled(table, choice, name),
  );
}

/**
 * Whether a command without a roll has several numbers, such as ranks with a fixed sum. The values
 * of each are listed for one choice of the others, so that people have to write all of them.
 */
export function hasJointNumbers({ schemas }: FormTable, { kind, odds, success }: Choice): boolean {
  const fields = Object.values(schemas[kind]?.properties ?? {});
  return !odds && !success && fields.filter((field) => field.type === "integer").length > 1;
}

/** Return a field of a form. Without `values`, people write it. */
export function fieldOf(
  name: string,
  schema: FieldSchema,
  isRequired: boolean,
  values?: readonly Value[],
): FormField {
  const title = schema.title ?? label(name);
  return { name, title, hint: schema.description ?? "", isRequired, kind: kindOf(schema, values), values: values ?? [], schema };
}

function kindOf(schema: FieldSchema, values: readonly Value[] | undefined): FormField["kind"] {
  const type = fieldType(schema);
  if (values) {
    if (type === "array") return "ticks";
    return values.length > 1 && values.length <= MOST_IN_A_ROW ? "buttons" : "choice";
  }
  if (type === "integer") return "number";
  if (type === "boolean") return "tick";
  return (schema.maxLength ?? 0) > LONG_TEXT ? "long" : "text";
}

/** Return what an action asks for, and what a press of it does. */
export function actionForm(table: FormTable, choice: Choice): ActionForm {
  const { kind } = choice;
  const schema = table.schemas[kind];
  const { properties = {}, required = [] } = schema ?? {};
  const example = (choice.example ?? {}) as Partial<Command>;
  const newIdField = newIdFieldOf(choice, schema);
  const isJoint = hasJointNumbers(table, choice);
  const isWritten = (name: string): boolean =>
    !(name in (choice.values ?? {})) ||
    (fieldType(properties[name]) === "integer" && (!isListed(properties[name]!) || isJoint));
  const listed = (name: string) => (choice.values?.[name] ?? []) as readonly Value[];
  const isOne = ({ name }: FormField): boolean => !isWritten(name) && isSettled(table, choice, name);

  const names = Object.keys(properties).filter(
    (name) => name !== "kind" && !(name === "entity" && example["entity"] === table.acting),
  );
  const all = names.map((name) =>
    fieldOf(name, properties[name]!, required.includes(name), isWritten(name) ? undefined : listed(name)),
  );
  const needed = all.filter((field) => field.isRequired);
  // Several fields without a value are shown, because each can be refused only without the others.
  const empty = all.filter(({ name, isRequired }) => !isRequired && name in (choice.values ?? {}) && !listed(name).length);
  const optional = all.filter((field) => !field.isRequired && !(empty.length === 1 && empty[0] === field));
  const likely = optional.filter(({ name }) => name in example && listed(name).length > 0);
  const wanted = [...needed, ...likely];
  const isSimple = isComplete(table, choice) && wanted.every(isOne);
  const open = wanted.filter((field) => !isOne(field));
  const [one] = open;
  const isTapped =
    !isSimple && !isCreation(choice, schema) && open.length === 1 && (one?.kind === "buttons" || one?.kind === "choice");
  const tapped = isTapped && one && one.values.length <= MOST_BUTTONS ? one : undefined;
  const entities = table.session?.table.entities ?? {};
  return {
    kind,
    example,
    fields: [...needed, ...optional].filter(({ name }) => name !== newIdField),
    newIdField,
    wanted,
    likely,
    isSimple,
    about: (isSimple ? wanted : likely.filter(({ name }) => isSettled(table, choice, name))).map(({ name }) => listed(name)[0]!),
    tapped,
    isTargeted: tapped?.values.every((each) => String(each) in entities) ?? false,
    hasOptional: optional.length > 0,
  };
}

function isListed({ minimum = -99, maximum = 99 }: FieldSchema): boolean {
  return maximum - minimum < MOST_LISTED;
}

/** Return what a form begins with: what the ruleset suggests. */
export function firstGiven(form: ActionForm, shared: Record<string, string>): Given {
  const given: Given = {};
  for (const field of form.fields) {
    const { name, values, schema } = field;
    const suggested = (values.includes(shared[name] ?? "") ? shared[name] : form.example[name]) as Single | undefined;
    const first = schema.examples?.[0] ?? (form.likely.includes(field) ? suggested : undefined);
    if (first !== undefined && field.kind !== "ticks") given[name] = written(field, first);
  }
  return given;
}

/** Return a value of a command as a form has it. */
export function written({ kind }: FormField, value: Single): Single {
  return kind === "choice" || kind === "buttons" ? JSON.stringify(value) : value;
}

/** Return the value that people gave, or undefined if they gave none. */
export function read({ kind, schema, isRequired }: FormField, given: Given[string]): Value | undefined {
  const usual = isRequired && isUsuallyNone({ kind, schema }) ? 0 : undefined;
  if (given === undefined || given === null) return usual;
  if (typeof given === "object") return given.length ? given : undefined;
  if (kind === "tick") return given === true ? true : undefined;
  const typed = String(given).replace(/\s*\n\s*/g, " ").trim();
  if (!typed) return usual;
  if (kind === "choice" || kind === "buttons") return JSON.parse(typed) as Value;
  if (kind === "number") return Number(typed);
  return fieldType(schema) === "array" ? typed.split(/\s*,\s*/) : typed;
}

/** Whether a number is usually 0, such as a bonus. If it is left empty, it is 0. */
export function isUsuallyNone({ kind, schema }: Pick<FormField, "kind" | "schema">): boolean {
  return kind === "number" && schema.examples?.[0] === 0;
}

/** Return what is wrong with what people gave. `whose`: the character whose numbers they are. */
export function wrongsOf(fields: readonly FormField[], given: Given, whose = ""): Wrongs {
  const wrongs: Wrongs = {};
  for (const field of fields) {
    const { minimum = -Infinity, maximum = Infinity } = field.schema;
    const value = read(field, given[field.name]);
    const isNumber = field.kind === "number" && value !== undefined;
    const number = Number(value);
    const isBad = isNumber && (!Number.isInteger(number) || number < minimum || number > maximum);
    if (isBad || (value === undefined && field.isRequired)) wrongs[field.name] = askFor(field, whose);
  }
  return wrongs;
}

function askFor({ kind, title, schema }: FormField, whose: string): string {
  if (kind === "number") return text.forms.number(title, schema.minimum, schema.maximum, whose);
  return kind === "text" || kind === "long" ? text.forms.write(title) : text.forms.choose(title);
}

/** Return how many of the points that a command distributes are left, or undefined if it has no fixed sum. */
export function pointsLeft(table: FormTable, { kind, fields }: ActionForm, given: Given): number | undefined {
  const sum = table.controls.sums?.[kind];
  const numbers = fields.filter((field) => field.kind === "number");
  return sum === undefined ? undefined : numbers.reduce((left, { name }) => left - Number(given[name] ?? 0), sum);
}

/** Return what the server refused, by the field that it names. It is empty if it names none. */
export function refusedFields(error: unknown, fields: readonly FormField[], whose = ""): Wrongs {
  if (!(error instanceof ApiError)) return {};
  const malformed = fields.filter(({ name }) => error.fields.includes(name));
  if (malformed.length) return Object.fromEntries(malformed.map((field) => [field.name, askFor(field, whose)]));
  // Most refusals say who acts. That is what is wrong only if they name nothing else.
  const named = fields.filter(({ name }) => name in error.facts);
  const titled = fields.find(({ title }) => Object.values(error.facts).includes(title));
  const field = named.find(({ name }) => name !== "entity") ?? titled ?? named[0];
  return field ? { [field.name]: text.forms.refused(field.title, error.message) } : {};
}

/** Return the values that people gave, by field. What they left empty is absent. */
export function readAll(fields: readonly FormField[], given: Given): Record<string, Value> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = read(field, given[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Build the command from what people gave. */
export function formCommand(table: FormTable, form: ActionForm, given: Given): Command {
  const command: Command = { ...acting(form), ...readAll(form.fields, given) };
  if (form.newIdField) {
    const { entities, decks } = table.session?.table ?? {};
    command[form.newIdField] = newEntityId(String(command["name"]), { ...entities, ...decks });
  }
  return command;
}

/** Build the command with the value that people tapped. */
export function tappedCommand(form: ActionForm, value: Value): Command {
  const fixed = form.wanted.filter((field) => field !== form.tapped);
  return {
    ...acting(form),
    ...Object.fromEntries(fixed.map(({ name, values }) => [name, values[0]])),
    [form.tapped!.name]: value,
  };
}

function acting({ kind, example: { entity } }: ActionForm): Command {
  return typeof entity === "string" ? { kind, entity } : { kind };
}

/** Add those values that several actions share and that this one allows. */
export function withShared(choice: Choice, command: Command, shared: Record<string, string>): Command {
  const added = Object.entries(shared).filter(
    ([name, value]) =>
      value && !(name in command) && ((choice.values?.[name] ?? []) as readonly Value[]).includes(value),
  );
  return { ...command, ...Object.fromEntries(added) };
}

/** Return what a form holds, with what a browser does not take for a number as not a number. */
export function typedIn(form: HTMLFormElement, given: Given): Given {
  const bad = [...form.querySelectorAll("input")].filter((input) => input.validity.badInput);
  return { ...given, ...Object.fromEntries(bad.map(({ name }) => [name, NaN])) };
}

/** Move the focus to the first field that something is wrong with. */
export function focusWrong(form: HTMLFormElement | undefined): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  (field?.matches("fieldset") ? field.querySelector("input") : field)?.focus();
}
