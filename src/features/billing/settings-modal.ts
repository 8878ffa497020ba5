import type { types } from '@slack/bolt'
import { z } from 'zod'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import { parsePayload, readForm, type ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, accessRecord, areas } from '../../store/workspaces.ts'

const choices = [
  option('Everyone in this workspace', 'everyone'),
  option('Admins', 'admins'),
  option('Admins and these people', 'people'),
]
const labels: Readonly<Record<Area, string>> = {
  calls: 'Calls',
  recordings: 'Recordings of calls',
  agents: 'Agents',
  billing: 'Billing',
}

const usersSelect = (people: readonly string[]): types.MultiUsersSelect => ({
  type: 'multi_users_select',
  action_id: 'people',
  max_selected_items: 50,
  ...(people.length > 0 ? { initial_users: [...people] } : {}),
})

function inputs(area: Area, { who, people }: AccessRule): types.InputBlock[] {
  const label = `${labels[area]}: these people`
  return [
    input(area, labels[area], select('who', choices, who)),
    input(`${area}.people`, label, usersSelect(people), { isOptional: true }),
  ]
}

/** @param hasSlackRoles whether Slack tells who the workspace's admins and owners are */
function managersInput(people: readonly string[], hasSlackRoles: boolean): types.InputBlock {
  const anyway = hasSlackRoles
    ? 'Besides admins and owners of this workspace, and whoever installed Callboard.'
    : 'Besides whoever installed Callboard: Slack does not tell it who is an admin of a single workspace of your organisation.'
  const hint = `${anyway} They connect the account, see SIP passwords, decide who may see what, and name others here.`
  const label = 'Who may manage Callboard'
  return input('administrators', label, usersSelect(people), { hint, isOptional: true })
}

/** Who may see calls, listen to them, see agents and billing, and who may decide that; for admins. */
export const settingsModal = (
  team: Tenant,
  channel: string,
  rules: AccessRecord,
  hasSlackRoles: boolean,
): types.ModalView =>
  modal({
    id: VIEWS.settings,
    metadata: writeOrigin(team, channel),
    title: 'Who may see what',
    submit: 'Save',
    blocks: [
      section('Those who manage Callboard always may. Guests never may.'),
      ...areas.flatMap((area) => inputs(area, rules[area])),
      managersInput(rules.administrators, hasSlackRoles),
      context('It holds at once, for commands and for buttons in messages that are there already.'),
    ],
  })

/** @throws {ForgedValueError} */
export function readSettings(
  view: ViewPayload,
): { readonly errors: Readonly<Record<string, string>> } | { readonly rules: AccessRecord } {
  const values = readForm(view, z.record(z.string(), z.unknown()))
  const entries = areas.map((area) => [area, { who: values[area], people: values[`${area}.people`] ?? [] }])
  const administrators = values['administrators'] ?? []
  const written = { ...Object.fromEntries(entries), administrators }
  const rules = parsePayload(accessRecord, written, 'the rules of the settings modal')
  const empty = areas.filter((area) => rules[area].who === 'people' && rules[area].people.length === 0)
  if (empty.length === 0) return { rules }
  return {
    errors: Object.fromEntries(empty.map((area) => [`${area}.people`, 'Choose at least one person.'])),
  }
}

/** For the audit log: `calls everyone, billing 2 people`. */
export const settingsDetail = (rules: AccessRecord): string =>
  areas
    .map(
      (area) =>
        `${area} ${rules[area].who === 'people' ? `${rules[area].people.length} people` : rules[area].who}`,
    )
    .join(', ')

/** For the audit log, which shows people's ids as mentions: `person U1, person U2`. */
export const peopleDetail = (people: readonly string[]): string =>
  people.map((person) => `person ${person}`).join(', ')
