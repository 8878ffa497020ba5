import type { EpochMs } from '../../src/util/units.ts'
import type { TourAction, TourStep } from './api-types.ts'
import type { TourProgress } from './tour-progress.ts'
import type { DemoParts } from './workspaces.ts'

/** What stands in the message box when the demo opens. */
export const firstCommand = '/calls missed yesterday'

/** The tour's steps as they are now. */
export function tourSteps(
  { workspaces: [larkfield, bakery], installUrl }: Pick<DemoParts, 'workspaces' | 'installUrl'>,
  progress: TourProgress,
  now: EpochMs,
): readonly TourStep[] {
  const [{ user: ada }, , { user: gus }] = larkfield.people
  const [{ channel: support, zone: timeZone }] = larkfield.channels
  const [{ user: mia }] = bakery.people
  const [{ channel: orders }] = bakery.channels
  /** Ada's, in #support, but for what is said. */
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
  const single = (id: string, title: string, text: string, ...lines: readonly string[]): TourStep =>
    step(id, title, text, [action(title, { lines })])
  const lines = ['/calls missed last 7 days']
  // `YYYY-MM-DD`, as Swedes write it.
  const yesterday = new Date(now - 24 * 3_600_000).toLocaleDateString('sv-SE', {
    timeZone: timeZone ?? 'UTC',
  })
  const connect = action('Connect its account', {
    user: mia.id,
    channel: orders.id,
    lines: ['/calls connect'],
  })
  const company = step(
    'company',
    'Add a second company',
    `${bakery.name} installs Callboard and connects its own phone account. Neither company sees the other's calls.`,
    bakery.team.isInstalled && !progress.isDone('company') ? [connect] : [],
  )
  return [
    single(
      'missed',
      'Find missed calls',
      'Ada asks in #support. Only she sees the list until she shares it.',
      firstCommand,
    ),
    single('agent', "See one agent's calls", 'Use Filter… to narrow it down.', '/calls agent:"Anna Smith"'),
    single(
      'report',
      'See last week in figures',
      'How many calls came and how many were missed, with a chart, and a table by line.',
      '/calls report last week',
    ),
    single(
      'number',
      'Find a number',
      'Its calls of the last 30 days. Find calls by number, in the menu of a message, does the same.',
      '/calls number:+44 20 7946 0042',
    ),
    single(
      'bill',
      'Preview a bill',
      'What #finance would see. Nothing is posted until Ada posts it.',
      '/billing post #finance',
    ),
    single(
      'alert',
      'Plan a missed-call alert',
      'For #support: every missed call, or only when there are several, at the hours you choose.',
      '/calls alert',
    ),
    step(
      'taken',
      'Miss a call, and take it',
      "Once an alert is planned, it comes within seconds. Press I'll take it, then Done.",
      [action('A call is missed now', { missed: 1 }), action('A burst of 40', { missed: 40 })],
    ),
    single(
      'schedule',
      'Plan a daily report',
      'For #support, at 9:00. Preview shows what it would be now; Save plans it.',
      '/calls schedule',
    ),
    step(
      'tomorrow',
      "See tomorrow's report",
      "Move the demo's clock instead of waiting: what is planned comes at once.",
      [action('Next weekday, 9:00', { clock: 'weekday-morning' })],
    ),
    single(
      'zone',
      'Switch to Tokyo time',
      "Yesterday's calls again, on Tokyo's clocks for everyone in #support.",
      '/calls timezone Asia/Tokyo',
      `/calls missed ${yesterday}`,
    ),
    step('guest', 'Be a guest', 'Gus, a guest from outside, asks for the same calls.', [
      action('Be a guest', { user: gus.id, lines: [firstCommand] }),
    ]),
    step(
      'failure',
      'Break the phone service',
      'Ada asks while it is slow, or down. Mend it, then press Try again.',
      [
        action('Slow service', { service: 'slow', lines }),
        action('Service down', { service: 'down', lines }),
        action('Mend it', { service: 'normal' }),
      ],
    ),
    bakery.team.isInstalled
      ? company
      : { ...company, link: { label: 'Install Callboard', href: installUrl } },
  ]
}
