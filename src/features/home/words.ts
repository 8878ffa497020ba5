import type { Managers } from '../../slack/access/errors.ts'
import { type AccessRecord, type AccessRule, areas } from '../../store/workspaces.ts'
import { capital, joinNames, numberText } from '../../util/text.ts'
import type { ServiceReply, TodayFigures } from './today.ts'

/** Beyond these, only the number of people is shown. */
const MAX_NAMED_PEOPLE = 3

function peopleText({ who, people }: AccessRule, administrators: ReadonlySet<string>): string {
  if (who === 'everyone') return 'everyone'
  const others = who === 'people' ? people.filter((person) => !administrators.has(person)) : []
  const names =
    others.length > MAX_NAMED_PEOPLE ? [`${others.length} people`] : others.map((id) => `<@${id}>`)
  return joinNames(['administrators', ...names])
}

/**
 * Formats the access rules in a line of mrkdwn: `Everyone: calls, recordings, agents, exports. Administrators: billing.`
 * An administrator on a list of people isn't named as one of them.
 * @param viewer an administrator's id
 */
export function accessText(rules: AccessRecord, managers: Managers, viewer: string): string {
  const administrators = new Set([viewer, ...managers.people])
  const exports: AccessRule = rules.exports === 'admins' ? { who: 'admins', people: [] } : rules.calls
  const entries = [...areas.map((area) => [area, rules[area]] as const), ['exports', exports] as const]
  const byPeople = Map.groupBy(entries, ([, rule]) => peopleText(rule, administrators))
  return [...byPeople]
    .toSorted(([one], [other]) => Number(other === 'everyone') - Number(one === 'everyone'))
    .map(([people, group]) => `${capital(people)}: ${group.map(([area]) => area).join(', ')}.`)
    .join(' ')
}

/** @param figures none if the phone service sent no totals, or hasn't replied */
export const todayText = (figures: TodayFigures | undefined): string =>
  figures
    ? `Today: ${figures.calls === 1 ? '1 call' : `${numberText(figures.calls)} calls`}, ${numberText(figures.missed)} missed`
    : "Today's calls"

/**
 * The account's state. Without a reply, nothing is known beyond the stored key and secret.
 * @param failingSince a local time, if polling for alerts fails
 */
export function connectionText(reply: ServiceReply | undefined, failingSince?: string): string {
  switch (reply?.kind) {
    case 'ok':
      return '✓ Connected. The phone service replied just now.'
    case 'unavailable':
      return failingSince === undefined
        ? "⚠ The phone service isn't responding."
        : `⚠ The phone service isn't responding, since ${failingSince}.`
    case 'rejected':
      return '⚠ The phone service no longer accepts the API key and secret.'
    case undefined:
      return '✓ Connected.'
  }
}
