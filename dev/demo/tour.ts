import { readableText } from '../slack/readable-text.ts'
import type { Slack } from '../slack/slack.ts'
import type { TourAction, TourStep } from './api-types.ts'
import type { DemoWorkspaces } from './workspaces.ts'

export interface TourPlaces {
  readonly workspaces: DemoWorkspaces
  /** Address of the app's install page. */
  readonly installUrl: string
  /** A number that was called from the first workspace, formatted. */
  readonly customer: string
}

/** Patterns of what the app shows in the first workspace once a step is done, from the tour or otherwise. */
const firstProofs: Readonly<Record<string, RegExp>> = {
  missed: /^(?:[^\n]+: )?(?:\d+ )?missed calls?(?! since \d)[^\n]*\. [^\n]* · /i,
  open: /^(A missed call has been waiting|\d+ missed calls are waiting)/m,
  taken: /^(Missed call|\d+ missed calls) [\s\S]*\bDone by /,
  line: /^\d+ missed calls since [\s\S]*\bhas (?:it|them)\b[\s\S]*^Take$/m,
  report: / · As of (?![\s\S]*Scheduled by )/,
  number: /calls? to (?:\+|numbers with )/i,
  tomorrow: / · As of [\s\S]*Scheduled by /,
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

type StepPlan = Omit<TourStep, 'isDone' | 'actions'> & {
  /** The first one starts the step. By Ada in #support, unless they say otherwise. */
  readonly actions: readonly Partial<TourAction>[]
}

/** Installs the app in the second workspace, then connects its account. */
function planCompany({ workspaces: [, bakery], installUrl }: TourPlaces): StepPlan {
  const [{ user: mia }] = bakery.people
  const [{ channel: orders }] = bakery.channels
  const step = {
    id: 'company',
    title: 'Set it up in your workspace',
    text: `Do it here for ${bakery.name}: install Callboard, then connect the phone account. The README has the same steps for yours.`,
  }
  if (!bakery.team.isInstalled) return { ...step, actions: [], link: installUrl }
  return { ...step, actions: [{ user: mia.id, channel: orders.id, lines: ['/calls connect'] }] }
}

const planSteps = (places: TourPlaces): readonly StepPlan[] => [
  {
    id: 'missed',
    title: 'Find missed calls',
    text: `\`${firstCommand}\` lists them. Only Ada sees the list until she shares it; Filter… narrows it down.`,
    actions: [{ lines: [firstCommand] }],
  },
  {
    id: 'open',
    title: 'See what is waiting',
    text: 'A call is missed: its alert appears in #support within seconds. Then list the calls that nobody has taken.',
    actions: [{ missed: 1 }, { label: 'List waiting calls', lines: ['/calls open'] }],
  },
  {
    id: 'taken',
    title: 'Take a missed call',
    text: "One more call is missed. Press I'll take it in its alert, or Take all if it shows several lines. Then Done.",
    actions: [{ missed: 1 }],
  },
  {
    id: 'line',
    title: 'Take one line of a burst',
    text: 'Twelve calls are missed on several lines. Press Take beside one: the other lines keep waiting.',
    actions: [{ missed: 12 }],
  },
  {
    id: 'report',
    title: 'See last week in figures',
    text: '`/calls report last week` shows how many calls came in and how many were missed, with a chart and a table by line.',
    actions: [{ lines: ['/calls report last week'] }],
  },
  {
    id: 'number',
    title: "Find a customer's number",
    text: `\`/calls number:${places.customer}\` lists all calls with them in the last 30 days. Find calls by number, in the menu of Ben's message, does the same.`,
    actions: [{ lines: [`/calls number:${places.customer}`] }],
  },
  {
    id: 'tomorrow',
    title: 'Schedule a daily report',
    text: "`/calls schedule`, for #support at 9:00. Save it, then move the demo's clock.",
    actions: [{ lines: ['/calls schedule'] }, { label: 'Next weekday, 9:00', clock: 'weekday-morning' }],
  },
  {
    id: 'bill',
    title: 'Preview a bill',
    text: '`/billing post #finance` shows what the channel would see. Nothing is posted until Ada posts it.',
    actions: [{ lines: ['/billing post #finance'] }],
  },
  planCompany(places),
]

/** Returns the tour's steps with their current state. */
export function tourSteps(places: TourPlaces, progress: TourProgress): readonly TourStep[] {
  const [{ people, channels }] = places.workspaces
  const byAda = { label: 'Start', user: people[0].user.id, channel: channels[0].channel.id, lines: [] }
  return planSteps(places).map((step) => {
    const isDone = progress.isDone(step.id)
    // Connecting again would replace the account.
    if (step.id === 'company' && isDone) return { ...step, isDone, actions: [] }
    return { ...step, isDone, actions: step.actions.map((action) => ({ ...byAda, ...action })) }
  })
}
