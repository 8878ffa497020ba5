import { joinNames } from '../../util/text.ts'
import type { Managers, NotAllowedError } from '../access/errors.ts'

// Who may do what here, in words.

const mostPeople = 10

/** The people in mrkdwn, after who Slack says that they are. */
function namesOf({ hasSlackRoles, people }: Managers, roles: string, word: 'and' | 'or'): string {
  const named = people.map((person) => `<@${person}>`)
  return hasSlackRoles
    ? joinNames([roles, ...named], { most: 1 + mostPeople, word })
    : joinNames(named, { most: mostPeople, word })
}

/** Who manages Callboard in a workspace, as a sentence of mrkdwn. */
export function managersSentence(managers: Managers): string {
  const isOne = managers.people.length === 1 && !managers.hasSlackRoles
  const names = namesOf(managers, 'Admins and owners of this workspace', 'and')
  return `${names} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

const whomToAsk = (managers: Managers = { hasSlackRoles: true, people: [] }) =>
  `Ask ${namesOf(managers, 'an admin or owner of this workspace', 'or')}`

/** To a guest. */
export const membersOnlyText =
  'Callboard is for full members of this workspace only. A workspace admin can make you one.'

const notAllowed: Readonly<Record<Exclude<NotAllowedError['needs'], 'member' | 'admin'>, string>> = {
  calls: "Calls aren't shown to everyone in this workspace.",
  export: "Exports of calls aren't for everyone in this workspace.",
  recordings: "Recordings aren't for everyone in this workspace.",
  agents: "Agents aren't shown to everyone in this workspace.",
  billing: "Billing isn't shown to everyone in this workspace.",
}

/** Why a person may not, and who can help. mrkdwn. */
export function notAllowedText({ needs, managers }: NotAllowedError): string {
  if (needs === 'member') return membersOnlyText
  if (needs !== 'admin') return `${notAllowed[needs]} ${whomToAsk(managers)} for access.`
  return `Only administrators can do that. ${whomToAsk(managers)} to do it, or to make you an administrator.`
}
