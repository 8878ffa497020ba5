import type { types } from '@slack/bolt'
import { action } from '../../slack/blocks/action.ts'
import { VIEWS } from '../../slack/blocks/action-ids.ts'
import { context, section } from '../../slack/blocks/blocks.ts'
import { input, modal, option, select } from '../../slack/blocks/inputs.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { writeOrigin } from '../../slack/blocks/values.ts'
import type { Tenant } from '../../store/tenant.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../store/workspaces.ts'

export const title = 'Access'

export const settingsActions = { open: settingsAction, who: action('billing.settings.who.') }

const choices = [
  option('Everyone in this workspace', 'everyone'),
  option('Administrators', 'admins'),
  option('Administrators and selected people', 'people'),
]
const labels: Readonly<Record<Area, readonly [area: string, people: string]>> = {
  calls: ['Calls', 'Who can see calls'],
  recordings: ['Recordings', 'Who can listen to recordings'],
  agents: ['Agents', 'Who can see agents'],
  billing: ['Billing', 'Who can see and post billing'],
}

const exportChoices = [option('Everyone who can see calls', 'everyone'), option('Administrators', 'admins')]
/** The block of the input for exports, and what its value is read back by. */
export const exportsId = 'exports'

/** The block of the input with the people of an area. */
export const peopleId = (area: Area) => `${area}.people`

/** Slack has no filter for it: guests and bots are refused when it is submitted. */
const usersSelect = (people: readonly string[]): types.MultiUsersSelect => ({
  type: 'multi_users_select',
  action_id: 'people',
  max_selected_items: 50,
  ...(people.length > 0 ? { initial_users: [...people] } : {}),
})

function inputs(area: Area, { who, people }: AccessRule): types.InputBlock[] {
  const [label, peopleLabel] = labels[area]
  const whoSelect = select(`${settingsActions.who.id}${area}`, choices, who)
  return [
    // The choice is told at once, for the people to be asked for below it.
    { ...input(area, label, whoSelect), dispatch_action: true },
    ...(who === 'people' ? [input(peopleId(area), peopleLabel, usersSelect(people))] : []),
  ]
}

/** @param hasSlackRoles whether Slack tells who the workspace's admins and owners are */
function administratorsInput(people: readonly string[], hasSlackRoles: boolean): types.InputBlock {
  const anyway = hasSlackRoles
    ? "In addition to this workspace's admins and owners, and whoever installed Callboard."
    : "In addition to whoever installed Callboard: Slack doesn't tell it who is an admin of a single workspace of your organisation."
  const hint = `${anyway} Administrators connect the phone account, see SIP passwords and decide who has access.`
  return input('administrators', 'Administrators', usersSelect(people), { hint, isOptional: true })
}

/** Who may see calls, listen to them, see agents and billing, and who may decide that; for administrators. Pure. */
export const settingsModal = (
  team: Tenant,
  channel: string,
  rules: AccessRecord,
  hasSlackRoles: boolean,
): types.ModalView =>
  modal({
    id: VIEWS.settings,
    metadata: writeOrigin(team, channel),
    title,
    submit: 'Save',
    blocks: [
      section('Administrators always have access. Guests never do.'),
      ...areas.flatMap((area) => inputs(area, rules[area])),
      input(exportsId, 'Exports of calls', select(exportsId, exportChoices, rules.exports)),
      administratorsInput(rules.administrators, hasSlackRoles),
      context('Takes effect now.'),
    ],
  })
