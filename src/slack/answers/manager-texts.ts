import type { Managers, NotAllowedError } from '../access/errors.ts'

// Who may do what here, in words.

const mostNames = 10

/** Who manages Callboard in a workspace, in mrkdwn: `admins and owners of this workspace, <@U1> and <@U2>`. */
export function managersText({ hasSlackRoles, people }: Managers = { hasSlackRoles: true, people: [] }): {
  readonly names: string
  readonly isOne: boolean
} {
  const more = people.length - mostNames
  const names = [
    ...(hasSlackRoles ? ['admins and owners of this workspace'] : []),
    ...people.slice(0, mostNames).map((person) => `<@${person}>`),
    ...(more > 0 ? [`${more} more`] : []),
  ]
  const isOne = names.length === 1 && !hasSlackRoles
  const [last = ''] = names.slice(-1)
  return { names: names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last, isOne }
}

/** The same as a sentence. */
export function managersSentence(managers: Managers): string {
  const { names, isOne } = managersText(managers)
  return `${names.replace(/^a/, 'A')} ${isOne ? 'manages' : 'manage'} Callboard here.`
}

const grant = 'An admin can give you access with `/billing settings`.'
const notAllowed: Readonly<Record<Exclude<NotAllowedError['needs'], 'admin'>, string>> = {
  member: 'Callboard is for full members of this workspace only. An admin can make you one.',
  calls: `Calls are not shown to everyone in this workspace. ${grant}`,
  recordings: `Recordings are not for everyone in this workspace. ${grant}`,
  agents: `Agents are not shown to everyone in this workspace. ${grant}`,
  billing: `Billing is not shown to everyone in this workspace. ${grant}`,
}

/** Why a person may not, and who can help. mrkdwn. */
export function notAllowedText({ needs, managers }: NotAllowedError): string {
  if (needs !== 'admin') return notAllowed[needs]
  const { names, isOne } = managersText(managers)
  const whom = isOne ? 'them' : 'one of them'
  return `Only ${names} can do that. Ask ${whom} to do it, or to let you manage Callboard with \`/billing settings\`.`
}
