/** The small allowed choices beside a pool or a character's conditions, and the commands they send. */

import type { Choice, Command, Pool } from "../api/client";
import { signed, text } from "../text";
import type { TableSession } from "./session.svelte";

export interface Quick {
  shown: string;
  command: Command;
}

const STEPS = [-5, -1, 1, 5];

/** Offer changes of a pool, with those commands that are allowed now. */
export function poolQuicks(table: TableSession, choices: Choice[], pool: Pool): Quick[] {
  const found = controlsOf(table, choices, pool);
  return STEPS.flatMap((by): Quick[] => {
    if (pool.max !== undefined && (pool.now + by > pool.max || pool.now + by < 0)) return [];
    const fitting = found.filter(
      ({ control: { takes, field } }) =>
        (takes !== "loss" || by < 0) && (takes !== "gain" || by > 0) && (field || Math.abs(by) === 1),
    );
    // A loss or a gain says more than a new value.
    const best = fitting.find(({ control }) => control.takes !== "value") ?? fitting[0];
    if (!best) return [];
    const { control, choice } = best;
    const amount = control.takes === "value" ? pool.now + by : control.takes === "change" ? by : Math.abs(by);
    const { minimum = amount, maximum = amount } = table.schemas[choice.kind]?.properties[control.field] ?? {};
    if (amount < minimum || amount > maximum) return [];
    const command: Command = { kind: choice.kind, ...control.fixed };
    if (control.field) command[control.field] = amount;
    if (control.pool_field) command[control.pool_field] = pool.label;
    return [{ shown: signed(by), command: whole(table, command, pool.entity) }];
  });
}

function controlsOf(table: TableSession, choices: Choice[], pool: Pool) {
  const all = table.controls.pools ?? [];
  const isOfEntity = pool.entity in (table.session?.table.entities ?? {});
  const named = all.filter((control) => control.pool === pool.label);
  return (named.length ? named : all.filter((control) => !control.pool)).flatMap((control) => {
    const choice = choices.find((each) => each.kind === control.command && each.allowed);
    const fields = table.schemas[control.command]?.properties ?? {};
    return choice && "entity" in fields === isOfEntity ? [{ control, choice }] : [];
  });
}

/** Offer conditions to set, which the character does not have yet. */
export function conditionQuicks(table: TableSession, choices: Choice[], entity: string): Quick[] {
  const held = Object.values(table.session?.table.conditions ?? {});
  const own = held.filter((each) => each.entity === entity).map((each) => each.label.toLowerCase());
  return (table.controls.conditions ?? []).flatMap((control): Quick[] => {
    if (control.ends || !isAllowed(choices, control.command)) return [];
    const schema = table.schemas[control.command];
    const isListed = Boolean(schema?.properties[control.field]?.enum);
    const inUse = isListed ? [] : held.map((each) => each.label);
    const names = [...new Set([...inUse, ...(control.names ?? [])])];
    return names
      .filter((name) => !own.includes(name.toLowerCase()))
      .map((name) => ({
        shown: name,
        command: whole(table, { kind: control.command, [control.field]: name }, entity),
      }));
  });
}

/** Return the command that sets a condition with a name that people write, if names are free. */
export function writtenCondition(
  table: TableSession,
  choices: Choice[],
  entity: string,
): ((name: string) => Command) | undefined {
  const control = (table.controls.conditions ?? []).find(
    (each) =>
      !each.ends &&
      isAllowed(choices, each.command) &&
      !table.schemas[each.command]?.properties[each.field]?.enum,
  );
  if (!control) return undefined;
  return (name) => whole(table, { kind: control.command, [control.field]: name }, entity);
}

/** Offer to end a condition, if that is allowed. */
export function endQuicks(table: TableSession, choices: Choice[], entity: string, name: string): Quick[] {
  return (table.controls.conditions ?? [])
    .filter((control) => control.ends && isAllowed(choices, control.command))
    .map((control) => ({
      shown: text.endCondition(name),
      command: whole(table, { kind: control.command, [control.field]: name }, entity),
    }));
}

function isAllowed(choices: Choice[], kind: string): boolean {
  return choices.some((each) => each.kind === kind && each.allowed);
}

/** Add the entity, and a plain reason to each text that the command requires. */
function whole(table: TableSession, command: Command, entity: string): Command {
  const schema = table.schemas[command.kind];
  const fields = schema?.properties ?? {};
  const added: Record<string, unknown> = {};
  if ("entity" in fields) added["entity"] = entity;
  for (const name of schema?.required ?? []) {
    if (name !== "kind" && !(name in command) && !(name in added) && fields[name]?.type === "string") {
      added[name] = text.atTheTable;
    }
  }
  return { ...command, ...added };
}
