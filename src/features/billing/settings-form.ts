import type { types } from '@slack/bolt'
import { action, PlainAction } from '../../slack/blocks/action.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { choice, people } from '../../slack/forms/fields.ts'
import { type Errors, type Field, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { type AccessRecord, type Area, accessRecord, areas } from '../../store/workspaces.ts'
import { joinNames } from '../../util/text.ts'

export const title = 'Access'

export const settingsActions = { open: settingsAction, who: action('billing.settings.who.') }

const choices = {
  everyone: 'Everyone in this workspace',
  admins: 'Administrators',
  people: 'Administrators and selected people',
}
const labels: Readonly<Record<Area, readonly [area: string, people: string]>> = {
  calls: ['Calls', 'Who can see calls'],
  recordings: ['Recordings', 'Who can listen to recordings'],
  agents: ['Agents', 'Who can see agents'],
  billing: ['Billing', 'Who can see and post billing'],
}

/** The block of the input with the people of an area. */
const peopleId = (area: Area) => `${area}.people`

/** @param hasSlackRoles whether Slack tells who the workspace's admins and owners are */
function administratorsHint(hasSlackRoles: boolean): string {
  const anyway = hasSlackRoles
    ? "In addition to this workspace's admins and owners, and whoever installed Callboard."
    : "In addition to whoever installed Callboard: Slack doesn't tell it who is an admin of a single workspace of your organisation."
  return `${anyway} Administrators connect the phone account, see SIP passwords and decide who has access.`
}

function formOf(rules: AccessRecord, hasSlackRoles: boolean) {
  const ofAreas = areas.flatMap((area): [string, Field<unknown>][] => {
    const [label, peopleLabel] = labels[area]
    const { who, people: named } = rules[area]
    const redraw = new PlainAction(`${settingsActions.who.id}${area}`)
    const chosen = people(peopleLabel, named).checked((ids) =>
      ids.length === 0 ? 'Choose at least one person.' : undefined,
    )
    return [
      [area, choice(label, choices, who, { redraw })],
      [peopleId(area), chosen.shownIf(area, 'people')],
    ]
  })
  const exportTexts = { everyone: 'Everyone who can see calls', admins: 'Administrators' }
  const hint = administratorsHint(hasSlackRoles)
  return new Form<Record<string, unknown>>({
    ...Object.fromEntries(ofAreas),
    exports: choice('Exports of calls', exportTexts, rules.exports),
    administrators: people('Administrators', rules.administrators, { hint, isOptional: true }),
  })
}

export const settingsForm = 'billing.settings'

/** Who may see calls, listen to them, see agents and billing, and who may decide that; for administrators. Pure. */
export const settingsModal = (
  team: Tenant,
  channel: string,
  rules: AccessRecord,
  {
    hasSlackRoles,
    entered = {},
  }: {
    readonly hasSlackRoles: boolean
    /** What was chosen so far, where it is shown anew. */
    readonly entered?: Readonly<Record<string, unknown>>
  },
): types.ModalView =>
  modal({
    id: settingsForm,
    origin: { team, channel },
    title,
    submit: 'Save',
    blocks: [
      section('Administrators always have access. Guests never do.'),
      ...formOf(rules, hasSlackRoles).inputs(entered),
      context('Takes effect now.'),
    ],
  })

/**
 * The rules that were chosen; `incomplete` where it was submitted before the people were asked for.
 * @throws {ForgedValueError}
 */
export function readSettings(
  view: ViewPayload,
  before: AccessRecord,
): { readonly rules: AccessRecord } | { readonly errors: Errors } | 'incomplete' {
  const filled = formOf(before, true).read(view)
  if (!filled.values) return filled.isIncomplete ? 'incomplete' : { errors: filled.errors }
  const { values } = filled
  const ofAreas = areas.map((area) => [area, { who: values[area], people: values[peopleId(area)] ?? [] }])
  const rules = { ...values, ...Object.fromEntries(ofAreas) }
  return { rules: parsePayload(accessRecord, rules, 'the rules of the settings modal') }
}

/** The people of each input, by its block's id: those that are shown. */
export const namedPeople = (rules: AccessRecord): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...areas.flatMap((area) =>
      rules[area].who === 'people' ? [[peopleId(area), rules[area].people] as const] : [],
    ),
    ['administrators', rules.administrators],
  ])

const mostNames = 3

/** Below an input with people who can't have access. @param names as other people see them */
export function notMembersText(names: readonly string[]): string {
  const are = names.length === 1 ? "isn't a full member" : "aren't full members"
  const who = `${joinNames(names, { most: mostNames })} ${are}`
  return `${who} of this workspace. Guests, bots and people who left can't be chosen.`
}

/** For the audit log: `calls everyone, billing 2 people, exports admins`. */
export function settingsDetail(rules: AccessRecord): string {
  const details = areas.map((area) => {
    const { who, people } = rules[area]
    return `${area} ${who === 'people' ? `${people.length} people` : who}`
  })
  return [...details, `exports ${rules.exports}`].join(', ')
}

/** For the audit log, which shows people's ids as mentions: `person U1, person U2`. */
export const peopleDetail = (people: readonly string[]): string =>
  people.map((person) => `person ${person}`).join(', ')
