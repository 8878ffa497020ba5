import { alertActions, alertButtons, alertFormActions } from '../../alerts/alert-buttons.ts'
import { alertLine, alertState } from '../../alerts/alert-text.ts'
import type { AlertWithState } from '../../alerts/alerts.ts'
import { type KindInfo, type KindName, kindInfos } from '../../scheduler/kinds.ts'
import { scheduleButtons } from '../../scheduler/schedule-buttons.ts'
import { scheduleState, scheduleText } from '../../scheduler/schedule-text.ts'
import type { ScheduleWithZone } from '../../scheduler/scheduler.ts'
import { actionRow, type Block, context, section } from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { LineNames } from '../../telephony/line-names.ts'
import { capital } from '../../util/text.ts'

/** As many of each are shown. */
export const MOST_SHOWN = 5

/** Of what somebody set up: whether that person has left, or may not see it any more. */
interface Owned {
  readonly isOwnerOut: boolean
}
export interface HomeSchedule extends ScheduleWithZone, Owned {
  readonly kind: KindName
}
export interface HomeAlert extends AlertWithState, Owned {}

/** What is planned and watched, of what the person may see. */
export interface PlannedPart {
  /** The kinds that the person may manage. */
  readonly kinds: readonly KindName[]
  readonly mayAlert: boolean
  /** The one whose next post is expected first at the beginning. */
  readonly schedules: readonly HomeSchedule[]
  readonly alerts: readonly HomeAlert[]
  readonly lines: LineNames
  /** An administrator with an account that can be used: what can be set up is offered, and what is nobody's. */
  readonly isAdmin: boolean
}

const scheduleTitle = ({ kind, schedule, zone }: HomeSchedule) =>
  `*${capital(kindInfos[kind].posts)}: ${scheduleText(schedule, zone)}*`

const alertTitle = ({ alert }: HomeAlert, lines: LineNames) => `*${alertLine(alert, lines)}*`

const outText = (owner: string, needs: string) =>
  `⚠ <@${owner}>, who set this up, has left or can't see ${needs} any more. Take it over to keep it going.`

/** What is left of people who are out: to be taken over by the administrator who looks. */
export function orphanBlocks({ schedules, alerts, lines, isAdmin }: PlannedPart): Block[] {
  if (!isAdmin) return []
  const ofSchedules = schedules
    .filter(({ isOwnerOut }) => isOwnerOut)
    .map((one): Block[] => {
      const { needs, actions } = kindInfos[one.kind]
      const text = `${scheduleTitle(one)}\n${outText(one.schedule.owner, needs)}`
      return [
        section(text),
        ...actionRow([actions.resume.button('Take over', { id: one.schedule.id, page: 1 }, 'primary')]),
      ]
    })
  const ofAlerts = alerts
    .filter(({ isOwnerOut }) => isOwnerOut)
    .map((one): Block[] => [
      section(`*Missed-call alert, ${alertLine(one.alert, lines)}*\n${outText(one.alert.owner, 'calls')}`),
      ...actionRow([alertActions.takeOver.button('Take over', { id: one.alert.id, page: 1 }, 'primary')]),
    ])
  const all = [...ofSchedules, ...ofAlerts]
  return all.length === 0 ? [] : [...all.slice(0, MOST_SHOWN).flat(), { type: 'divider' }]
}

const more = (count: number): Block[] =>
  count > MOST_SHOWN ? [context(`and ${count - MOST_SHOWN} more`)] : []

/** What has stopped by itself first. */
const troubledFirst = <T>(all: readonly T[], isTroubled: (one: T) => boolean): readonly T[] => [
  ...all.filter(isTroubled),
  ...all.filter((one) => !isTroubled(one)),
]

const newTexts: Readonly<Record<KindName, string>> = {
  billing: 'Schedule billing posts…',
  report: 'Schedule call reports…',
}
const manageButton = ({ command, posts }: KindInfo, text = `Manage ${posts}`) =>
  commandButton(`${command}-schedules`, text, `/${command} schedules`)

function scheduleBlocks({ schedules, kinds, isAdmin }: PlannedPart, now: Date): Block[] {
  if (schedules.length === 0 && !isAdmin) return []
  const shown = troubledFirst(schedules, ({ schedule }) => schedule.paused?.why !== undefined).slice(
    0,
    MOST_SHOWN,
  )
  const rows = shown.flatMap((one): Block[] => [
    section([scheduleTitle(one), ...scheduleState(one, now)].join('\n')),
    scheduleButtons(kindInfos[one.kind], one.schedule),
  ])
  const buttons = kinds.flatMap((name) => {
    const info = kindInfos[name]
    const has = schedules.some(({ kind }) => kind === name)
    return [
      ...(isAdmin ? [info.actions.new.button(newTexts[name], {})] : []),
      ...(has ? [manageButton(info)] : []),
    ]
  })
  return [
    section(`*Scheduled posts (${schedules.length})*`),
    ...rows,
    ...more(schedules.length),
    ...actionRow(buttons),
  ]
}

function alertBlocks({ alerts, mayAlert, lines, isAdmin }: PlannedPart, now: Date): Block[] {
  if (!mayAlert || (alerts.length === 0 && !isAdmin)) return []
  const shown = troubledFirst(alerts, ({ trouble }) => trouble !== undefined).slice(0, MOST_SHOWN)
  const rows = shown.flatMap((one): Block[] => [
    section(`${alertTitle(one, lines)}\n${alertState(one, now.getTime())}`),
    alertButtons(one.alert, now.getTime()),
  ])
  return [
    section(`*Missed-call alerts (${alerts.length})*`),
    ...rows,
    ...more(alerts.length),
    ...actionRow([
      ...(isAdmin ? [alertFormActions.new.button('New alert…', {})] : []),
      ...(alerts.length > 0 ? [commandButton('alerts', 'Manage alerts', '/calls alerts')] : []),
    ]),
  ]
}

/** What goes to channels by itself. Pure. */
export const plannedBlocks = (planned: PlannedPart, now: Date): Block[] => [
  ...scheduleBlocks(planned, now),
  ...alertBlocks(planned, now),
]
