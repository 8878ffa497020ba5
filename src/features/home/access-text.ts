import type { Managers } from '../../slack/access/errors.ts'
import { type AccessRecord, type AccessRule, areas } from '../../store/workspaces.ts'
import { joinNames } from '../../util/text.ts'

/** Who are named; of more, how many there are. */
const mostNames = 3

function whoText({ who, people }: AccessRule, administrators: ReadonlySet<string>): string {
  if (who === 'everyone') return 'everyone'
  const others = who === 'people' ? people.filter((person) => !administrators.has(person)) : []
  const names = others.length > mostNames ? [`${others.length} people`] : others.map((id) => `<@${id}>`)
  return joinNames(['administrators', ...names])
}

/**
 * Who may see what, in a line of mrkdwn: `Access: calls everyone · billing administrators`. An administrator who is on a
 * list of people is not named as one of them.
 * @param viewer an administrator's id
 */
export function accessText(rules: AccessRecord, managers: Managers, viewer: string): string {
  const administrators = new Set([viewer, ...managers.people])
  const texts = areas.map((area) => `${area} ${whoText(rules[area], administrators)}`)
  const exports = rules.exports === 'admins' ? ['exports administrators'] : []
  return `Access: ${[...texts, ...exports].join(' · ')}`
}
