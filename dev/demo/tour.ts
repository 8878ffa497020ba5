import type { EpochMs } from '../../src/util/units.ts'
import type { ServiceMode, TourAction, TourStep } from './api-types.ts'
import type { TourProgress, TourStepId } from './tour-progress.ts'
import type { DemoParts, DemoPerson, DemoWorkspace } from './workspaces.ts'

/** What stands in the message box when the demo opens. */
export const firstCommand = '/calls missed yesterday'

interface Step extends Omit<TourStep, 'isDone'> {
  readonly id: TourStepId
}

/** `YYYY-MM-DD`, as Swedes write it. */
const yesterdayIn = (timeZone = 'UTC', now: EpochMs) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now - 24 * 60 * 60_000)

/** @param lines what the person types in their workspace's first channel */
const typed = (
  label: string,
  { user }: DemoPerson,
  { channels: [{ channel }] }: DemoWorkspace,
  lines: readonly string[],
): TourAction => ({ label, user: user.id, channel: channel.id, lines })

function stepsIn(
  { workspaces: [larkfield, bakery], installUrl }: Pick<DemoParts, 'workspaces' | 'installUrl'>,
  progress: TourProgress,
  now: EpochMs,
) {
  const [ada, , gus] = larkfield.people
  const [mia] = bakery.people
  const single = (
    id: TourStepId,
    title: string,
    text: string,
    person: DemoPerson,
    lines: string[],
  ): Step => ({
    id,
    title,
    text,
    actions: [typed(title, person, larkfield, lines)],
  })
  const service = (label: string, mode: ServiceMode, lines: string[]): TourAction => ({
    ...typed(label, ada, larkfield, lines),
    service: mode,
  })
  const missed = (label: string, count: number): TourAction => ({
    ...typed(label, ada, larkfield, []),
    missed: count,
  })
  const week = ['/calls missed last 7 days']
  const company = {
    id: 'company',
    title: 'Add a second company',
    text: `${bakery.name} installs Callboard and connects its own phone account. Neither company sees the other's calls.`,
  } as const
  const connect = typed('Connect its account', mia, bakery, ['/calls connect'])
  const steps: readonly Step[] = [
    single(
      'missed',
      'Find missed calls',
      'Ada asks in #support. Only she sees the list until she shares it.',
      ada,
      [firstCommand],
    ),
    single(
      'agent',
      "See one agent's calls",
      'Filter… and the buttons below the list lead on from there.',
      ada,
      ['/calls agent:"Anna Smith"'],
    ),
    single(
      'report',
      'See last week in figures',
      'How many calls came and how many were missed, with a chart, and a table by line.',
      ada,
      ['/calls report last week'],
    ),
    single(
      'number',
      'Find a number',
      'Its calls of the last 30 days. Find calls by number, in the menu of a message, does the same.',
      ada,
      ['/calls number:+44 20 7946 0042'],
    ),
    single('bill', 'Preview a bill', 'What #finance would see. Nothing is posted until Ada posts it.', ada, [
      '/billing post #finance',
    ]),
    single(
      'alert',
      'Plan a missed-call alert',
      'For #support: every missed call, or only when there are several, at the hours you choose.',
      ada,
      ['/calls alert'],
    ),
    {
      id: 'taken',
      title: 'Miss a call, and take it',
      text: "Once an alert is planned, it comes within seconds. Press I'll take it, then Done.",
      actions: [missed('A call is missed now', 1), missed('A burst of 40', 40)],
    },
    single(
      'schedule',
      'Plan a daily report',
      'For #support, at 9:00. Preview shows what it would be now; Save plans it.',
      ada,
      ['/calls schedule'],
    ),
    {
      id: 'tomorrow',
      title: "See tomorrow's report",
      text: "Move the demo's clock instead of waiting: what is planned comes at once.",
      actions: [{ ...typed('Next weekday, 9:00', ada, larkfield, []), clock: 'weekday-morning' }],
    },
    single(
      'zone',
      'Switch to Tokyo time',
      "Yesterday's calls again, on Tokyo's clocks for everyone in #support.",
      ada,
      ['/calls timezone Asia/Tokyo', `/calls missed ${yesterdayIn(larkfield.channels[0].zone, now)}`],
    ),
    single('guest', 'Be a guest', 'Gus, a guest from outside, asks for the same calls.', gus, [firstCommand]),
    {
      id: 'failure',
      title: 'Break the phone service',
      text: 'Ada asks while it is slow, or down. Mend it, then press Try again.',
      actions: [
        service('Slow service', 'slow', week),
        service('Service down', 'down', week),
        service('Mend it', 'normal', []),
      ],
    },
    bakery.team.isInstalled === true
      ? { ...company, actions: progress.isDone('company') ? [] : [connect] }
      : { ...company, actions: [], link: { label: 'Install Callboard', href: installUrl } },
  ]
  return steps
}

/** The tour's steps as they are now. */
export const tourSteps = (
  demo: Pick<DemoParts, 'workspaces' | 'installUrl'>,
  progress: TourProgress,
  now: EpochMs,
): readonly TourStep[] =>
  stepsIn(demo, progress, now).map((step) => ({ ...step, isDone: progress.isDone(step.id) }))
