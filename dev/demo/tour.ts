import { readableText } from '../slack/readable-text.ts'
import type { Slack } from '../slack/slack.ts'
import type { TourAction, TourStep } from './api-types.ts'
import type { DemoParts, DemoWorkspaces } from './workspaces.ts'

/** Patterns of what the app shows in the first workspace once a step is done, from the tour or otherwise. */
const firstProofs: Readonly<Record<string, RegExp>> = {
  missed: /^(?:[^\n]+: m|M)issed calls\. /,
  open: /^(A missed call has been waiting|\d+ missed calls are waiting)/m,
  taken: /^(Missed call|\d+ missed calls) [\s\S]*\bDone by /,
  report: /^Call report(?![\s\S]*Scheduled by )/,
  number: /^Calls to /m,
  tomorrow: /^Call report[\s\S]*Scheduled by /,
  bill: /^\*Preview\.\*[\s\S]*^Billing: /m,
}
/** Patterns for the second workspace. */
const secondProofs: typeof firstProofs = { company: /^Connected/m }

/** Tracks which steps of the tour are done, in any order. */
export class TourProgress {
  readonly #done = new Set<string>()

  isDone(step: string): boolean {
    return this.#done.has(step)
  }

  /** Marks the steps that show in Slack now. */
  look(slack: Slack, [first]: DemoWorkspaces): void {
    const places = [...slack.messages(), ...slack.openViews()]
    for (const isFirst of [true, false]) {
      const left = Object.entries(isFirst ? firstProofs : secondProofs).filter(([step]) => !this.isDone(step))
      if (left.length === 0) continue
      const texts = places.filter(({ team }) => (team === first.team) === isFirst).map(readableText)
      for (const [step, proof] of left) if (texts.some((text) => proof.test(text))) this.#done.add(step)
    }
  }
}

/** Initial text of the message box. */
export const firstCommand = '/calls missed yesterday'

/** Returns the tour's steps with their current state. */
export function tourSteps(
  {
    workspaces: [larkfield, bakery],
    installUrl,
    customer,
  }: Pick<DemoParts, 'workspaces' | 'installUrl' | 'customer'>,
  progress: TourProgress,
): readonly TourStep[] {
  const [{ user: ada }] = larkfield.people
  const [{ channel: support }] = larkfield.channels
  const [{ user: mia }] = bakery.people
  const [{ channel: orders }] = bakery.channels
  /** Defaults to Ada in #support. */
  const action = (label: string, does: Partial<TourAction>): TourAction => ({
    label,
    user: ada.id,
    channel: support.id,
    lines: [],
    ...does,
  })
  const step = (id: string, title: string, text: string, actions: readonly TourAction[]): TourStep => ({
    id,
    title,
    text,
    actions,
    isDone: progress.isDone(id),
  })
  const single = (id: string, title: string, text: string, line: string): TourStep =>
    step(id, title, text, [action(title, { lines: [line] })])
  const connect = action('Connect its account', {
    user: mia.id,
    channel: orders.id,
    lines: ['/calls connect'],
  })
  const setUp = step(
    'company',
    'Set it up in your workspace',
    `As ${bakery.name} does: install Callboard, and connect the phone account. For yours, the README has the same steps.`,
    bakery.team.isInstalled && !progress.isDone('company') ? [connect] : [],
  )
  return [
    single(
      'missed',
      'Find missed calls',
      'Only Ada sees the list until she shares it. Use Filter… to narrow it down.',
      firstCommand,
    ),
    step(
      'open',
      'See what is waiting',
      'Miss a call: its alert comes to #support within seconds. Then list the missed calls that nobody has taken.',
      [action('Miss a call', { missed: 1 }), action('List waiting calls', { lines: ['/calls open'] })],
    ),
    step(
      'taken',
      'Take a missed call',
      "Press Take in the list or I'll take it in the alert, then Done.",
      [],
    ),
    single(
      'report',
      'See last week in figures',
      'How many calls came and how many were missed, with a chart, and a table by line.',
      '/calls report last week',
    ),
    single(
      'number',
      "Find a customer's number",
      "When they were called in the last 30 days. Find calls by number, in the menu of Ben's message, does the same.",
      `/calls number:${customer}`,
    ),
    step('tomorrow', 'Plan a daily report', "For #support, at 9:00. Save it, then move the demo's clock.", [
      action('Plan the report', { lines: ['/calls schedule'] }),
      action('Next weekday, 9:00', { clock: 'weekday-morning' }),
    ]),
    single(
      'bill',
      'Preview a bill',
      'What #finance would see. Nothing is posted until Ada posts it.',
      '/billing post #finance',
    ),
    bakery.team.isInstalled ? setUp : { ...setUp, link: { label: 'Install Callboard', href: installUrl } },
  ]
}
