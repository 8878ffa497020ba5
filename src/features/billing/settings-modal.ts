import type { types } from '@slack/bolt'
import type { AccessRules } from '../../slack/access/access-rules.ts'
import { context, LIMITS, plain, section } from '../../slack/blocks/blocks.ts'
import { ForgedValueError } from '../../slack/blocks/errors.ts'
import { writeOrigin } from '../../slack/blocks/view-metadata.ts'
import type { ViewPayload } from '../../slack/inbound/payloads.ts'
import type { Tenant } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, accessRecord, areas } from '../../store/workspaces.ts'

export const SETTINGS_VIEW = 'billing.settings'

const option = (text: string, value: AccessRule['who']) => ({ text: plain(text, LIMITS.optionText), value })
const choices = [
  option('Everyone in this workspace', 'everyone'),
  option('Admins', 'admins'),
  option('Admins and these people', 'people'),
]
const labels: Readonly<Record<Area, string>> = { calls: 'Calls', agents: 'Agents', billing: 'Billing' }

function inputs(area: Area, { who, people }: AccessRule): types.InputBlock[] {
  const initial = choices.find(({ value }) => value === who)
  return [
    {
      type: 'input',
      block_id: area,
      label: plain(labels[area], 2000),
      element: {
        type: 'static_select',
        action_id: 'who',
        options: choices,
        ...(initial ? { initial_option: initial } : {}),
      },
    },
    {
      type: 'input',
      block_id: `${area}.people`,
      optional: true,
      label: plain(`${labels[area]}: these people`, 2000),
      element: {
        type: 'multi_users_select',
        action_id: 'people',
        max_selected_items: 50,
        ...(people.length > 0 ? { initial_users: [...people] } : {}),
      },
    },
  ]
}

/** Who may see calls, agents and billing; for admins. */
export function settingsModal(tenant: Tenant, channel: string, rules: AccessRules): types.ModalView {
  return {
    type: 'modal',
    callback_id: SETTINGS_VIEW,
    private_metadata: writeOrigin(tenant, channel, {}),
    title: plain('Who may see what', 24),
    submit: plain('Save', 24),
    close: plain('Cancel', 24),
    blocks: [
      section('Admins and owners always may. Guests never may.'),
      ...areas.flatMap((area) => inputs(area, rules[area])),
      context('It holds at once, for commands and for buttons in messages that are there already.'),
    ],
  }
}

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
export const settingsText = (rules: AccessRecord): string =>
  areas
    .map(
      (area) =>
        `${area} ${rules[area].who === 'people' ? `${rules[area].people.length} people` : rules[area].who}`,
    )
    .join(', ')
