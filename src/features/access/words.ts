import { listManagers } from '../../slack/access/access-rules.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { type AccessRecord, type AccessRule, type Area, areas } from '../../store/workspaces.ts'
import { capitalize, joinNames } from '../../util/text.ts'

export const whoTexts = {
  everyone: 'Everyone in this workspace',
  admins: 'No one else',
  people: 'Selected people',
}
export const exportTexts = { everyone: 'Everyone who sees calls', admins: 'No one else' }

function peopleText({ who, people }: AccessRule, administrators: ReadonlySet<string>): string {
  if (who === 'everyone') return 'everyone'
  if (who === 'admins') return 'administrators'
  const otherPeople = people.filter((person) => !administrators.has(person))
  const mentions = otherPeople.map((person) => `<@${person}>`)
  return joinNames(['administrators', ...mentions], { max: 4 })
}

/** `Everyone: calls, recordings, agents, exports. Administrators: billing.` @param viewer an administrator */
export function accessText(rules: AccessRecord, viewer: Pick<Actor, 'installation' | 'person'>): string {
  const managers = listManagers(viewer.installation, rules.administrators)
  const administrators = new Set([viewer.person.id, ...managers.people])
  const exportRule: AccessRule = rules.exports === 'admins' ? { who: 'admins', people: [] } : rules.calls
  const allRules = { ...rules, exports: exportRule }
  const areasByPeople = Map.groupBy([...areas, 'exports'] as const, (area) =>
    peopleText(allRules[area], administrators),
  )
  const sentences = Array.from(areasByPeople, ([who, names]) => `${capitalize(who)}: ${names.join(', ')}.`)
  return sentences.join(' ')
}

interface AccessChange {
  /** Completes a sentence in the audit log. */
  readonly what: string
  readonly people?: string[]
}

function describeRule(area: Area | 'exports', { who, people }: AccessRule): AccessChange {
  if (who === 'everyone') return { what: `opened ${area} to everyone` }
  if (who === 'admins') return { what: `limited ${area} to administrators` }
  return { what: `limited ${area} to administrators and`, people }
}

const isSameRule = (a: AccessRule, b: AccessRule): boolean =>
  a.who === b.who && (a.who !== 'people' || a.people.join() === b.people.join())

/** Says what someone who saved these rules did, one sentence for each rule. */
export function describeChanges(before: AccessRecord, after: AccessRecord): readonly AccessChange[] {
  const changes: AccessChange[] = []
  for (const area of areas)
    if (!isSameRule(before[area], after[area])) changes.push(describeRule(area, after[area]))
  if (after.exports !== before.exports)
    changes.push(describeRule('exports', { who: after.exports, people: [] }))
  const added = after.administrators.filter((person) => !before.administrators.includes(person))
  const removed = before.administrators.filter((person) => !after.administrators.includes(person))
  if (added.length > 0) changes.push({ what: 'gave administrator rights to', people: added })
  if (removed.length > 0) changes.push({ what: 'took administrator rights from', people: removed })
  return changes
}
