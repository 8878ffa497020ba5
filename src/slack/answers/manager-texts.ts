import type { Managers, NotAllowedError } from '../access/errors.ts'

// Who may do what here, in words.

const mostNames = 10

/** The people in mrkdwn, after who Slack says that they are. */
function namesOf({ hasSlackRoles, people }: Managers, roles: string): readonly string[] {
  const more = people.length - mostNames
  return [
    ...(hasSlackRoles ? [roles] : []),
    ...people.slice(0, mostNames).map((person) => `<@${person}>`),
    ...(more > 0 ? [`${more} more`] : []),
  ]
}

function joined(names: readonly string[], word: 'and' | 'or'): string {
  const [last = ''] = names.slice(-1)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} ${word} ${last}` : last
}

/** Who manages Callboard in a workspace, as a sentence of mrkdwn. */
export function managersSentence(managers: Managers): string {
  const names = namesOf(managers, 'Admins and owners of this workspace')
  const isOne = names.length === 1 && !managers.hasSlackRoles
  return `${joined(names, 'and')} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

const whomToAsk = (managers: Managers = { hasSlackRoles: true, people: [] }) =>
  `Ask ${joined(namesOf(managers, 'an admin or owner of this workspace'), 'or')}`

const notAllowed: Readonly<Record<Exclude<NotAllowedError['needs'], 'member' | 'admin'>, string>> = {
  calls: "Calls aren't shown to everyone in this workspace.",
  export: "Exports of calls aren't for everyone in this workspace.",
  recordings: "Recordings aren't for everyone in this workspace.",
  agents: "Agents aren't shown to everyone in this workspace.",
  billing: "Billing isn't shown to everyone in this workspace.",
}

/** Why a person may not, and who can help. mrkdwn. */
export function notAllowedText({ needs, managers }: NotAllowedError): string {
  if (needs === 'member')
    return 'Callboard is for full members of this workspace only. A workspace admin can make you one.'
  if (needs !== 'admin') return `${notAllowed[needs]} ${whomToAsk(managers)} for access.`
  return `Only administrators can do that. ${whomToAsk(managers)} to do it, or to make you an administrator.`
}
