import type { Managers } from '../access/errors.ts'

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
