import type { types } from '@slack/bolt'
import type { Actor } from '../../slack/access/guards.ts'
import { action } from '../../slack/blocks/action.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { choice, people } from '../../slack/forms/fields.ts'
import { type Errors, type Field, Form } from '../../slack/forms/form.ts'
import { parsePayload, type ViewPayload } from '../../slack/inbound/payloads.ts'
import { type AccessRecord, type Area, accessRecord, areas } from '../../store/workspaces.ts'

export const RULES_VIEW = 'billing.settings'
export const RULES_TITLE = 'Access'

/** A choice in the form, which shows or hides the list of people below it. */
export const chooseWho = action('billing.settings.who.')

const whoTexts = {
  everyone: 'Everyone in this workspace',
  admins: 'Administrators',
  people: 'Administrators and selected people',
}
const exportTexts = { everyone: 'Everyone who can see calls', admins: 'Administrators' }
const labels: Readonly<Record<Area, readonly [area: string, people: string]>> = {
  calls: ['Calls', 'Who can see calls'],
  recordings: ['Recordings', 'Who can listen to recordings'],
  agents: ['Agents', 'Who can see agents'],
  billing: ['Billing', 'Who can see and post billing'],
}

const toPeopleId = (area: Area) => `${area}.people`

/** @param hasSlackRoles whether Slack tells who the workspace's admins and owners are */
function createRulesForm(rules: AccessRecord, hasSlackRoles: boolean) {
  const areaFields = areas.flatMap((area): [string, Field<unknown>][] => {
    const [label, peopleLabel] = labels[area]
    const { who, people: named } = rules[area]
    const list = people(peopleLabel, named).checked((ids) =>
      ids.length === 0 ? 'Choose at least one person.' : undefined,
    )
    return [
      [area, choice(label, whoTexts, who, { redraw: chooseWho.named(area) })],
      [toPeopleId(area), list.shownIf(area, 'people')],
    ]
  })
  const others = hasSlackRoles
    ? "In addition to this workspace's admins and owners, and whoever installed Callboard."
    : "In addition to whoever installed Callboard: Slack doesn't tell Callboard who is an admin of a single workspace of your organisation."
  const hint = `${others} Administrators connect the phone account, see SIP passwords and decide who has access.`
  return new Form<Record<string, unknown>>({
    ...Object.fromEntries(areaFields),
    exports: choice('Exports of calls', exportTexts, rules.exports),
    administrators: people('Administrators', rules.administrators, { hint, isOptional: true }),
  })
}

/** @param entered choices so far, if the form is redrawn */
export const rulesModal = (
  { team, installation }: Actor,
  channel: string,
  rules: AccessRecord,
  entered: Readonly<Record<string, unknown>> = {},
): types.ModalView =>
  modal({
    id: RULES_VIEW,
    origin: { team, channel },
    title: RULES_TITLE,
    submit: 'Save',
    blocks: [
      section('Administrators always have access. Guests never do.'),
      ...createRulesForm(rules, installation.hasSlackRoles).inputs(entered),
      context('Takes effect when you save.'),
    ],
  })

/**
 * Returns the submitted rules, or `incomplete` if the form was submitted before its lists of people appeared.
 * @throws {ForgedValueError}
 */
export function readRules(
  view: ViewPayload,
  before: AccessRecord,
): { readonly rules: AccessRecord } | { readonly errors: Errors } | 'incomplete' {
  const filled = createRulesForm(before, true).read(view)
  if (!filled.values) return filled.isIncomplete ? 'incomplete' : { errors: filled.errors }
  const { values } = filled
  const entries = areas.map((area) => [area, { who: values[area], people: values[toPeopleId(area)] ?? [] }])
  const rules = { ...values, ...Object.fromEntries(entries) }
  return { rules: parsePayload(accessRecord, rules, 'the access rules') }
}

/** Returns the people of each list, by the id of its input. */
export const listPeople = (rules: AccessRecord): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...areas.map((area) => [toPeopleId(area), rules[area].people] as const),
    ['administrators', rules.administrators],
  ])

/** Describes rules for the audit log: `calls everyone, billing 2 people, exports admins`. */
export function describeRules(rules: AccessRecord): string {
  const details = areas.map((area) => {
    const { who, people: named } = rules[area]
    return `${area} ${who === 'people' ? `${named.length} people` : who}`
  })
  return [...details, `exports ${rules.exports}`].join(', ')
}
