import type { types } from '@slack/bolt'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { ForgedValueError, writeOrigin } from '../../slack/blocks/values.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, accessRecord, areas } from '../../store/workspaces.ts'

const choices = [
  option('Everyone in this workspace', 'everyone'),
  option('Admins', 'admins'),
  option('Admins and these people', 'people'),
]
const labels: Readonly<Record<Area, string>> = { calls: 'Calls', agents: 'Agents', billing: 'Billing' }

function inputs(area: Area, { who, people }: AccessRule): types.InputBlock[] {
  const usersSelect: types.MultiUsersSelect = {
    type: 'multi_users_select',
    action_id: 'people',
    max_selected_items: 50,
    ...(people.length > 0 ? { initial_users: [...people] } : {}),
  }
  return [
    input(area, labels[area], select('who', choices, who)),
    input(`${area}.people`, `${labels[area]}: these people`, usersSelect, { isOptional: true }),
  ]
}

/** Who may see calls, agents and billing; for admins. */
export const settingsModal = (team: Tenant, channel: string, rules: AccessRecord): types.ModalView =>
  modal({
    id: VIEWS.settings,
    metadata: writeOrigin(team, channel),
    title: 'Who may see what',
    submit: 'Save',
    close: 'Cancel',
    blocks: [
      section('Admins and owners always may. Guests never may.'),
      ...areas.flatMap((area) => inputs(area, rules[area])),
      context('It holds at once, for commands and for buttons in messages that are there already.'),
    ],
  })

/** @throws {ForgedValueError} */
export function readSettings(
  view: ViewPayload,
): { readonly errors: Readonly<Record<string, string>> } | { readonly rules: AccessRecord } {
  const values = view.state?.values ?? {}
  const entries = areas.map((area) => {
    const who = values[area]?.['who']?.selected_option?.value
    const people = values[`${area}.people`]?.['people']?.selected_users ?? []
    return [area, { who, people }] as const
  })
  const parsed = accessRecord.safeParse(Object.fromEntries(entries))
  if (!parsed.success) throw new ForgedValueError('the values of the settings modal')
  const empty = areas.filter(
    (area) => parsed.data[area].who === 'people' && parsed.data[area].people.length === 0,
  )
  if (empty.length === 0) return { rules: parsed.data }
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
