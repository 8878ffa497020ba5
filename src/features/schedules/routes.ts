import { randomUUID } from 'node:crypto'
import { nextText, scheduleDetail, scheduleText } from '../../scheduler/schedule-text.ts'
import type { Planner } from '../../scheduler/scheduler.ts'
import type { Audit } from '../../slack/access/audit.ts'
import type { Workspace } from '../../slack/access/workspaces.ts'
import { noticeModal } from '../../slack/answers/modals.ts'
import { update } from '../../slack/answers/submissions.ts'
import type { Answer } from '../../slack/answers/table-support.ts'
import { type Channels, refusalInPlain } from '../../slack/api/channels.ts'
import type {
  ActionRoute,
  CommandRoute,
  Interaction,
  Modal,
  SubmissionRoute,
} from '../../slack/routing/routes.ts'
import type { Schedule, Schedules } from '../../store/schedules.ts'
import type { TelephonyClient } from '../../telephony/client.ts'
import { TelephonyError } from '../../telephony/errors.ts'
import { MOST_SCHEDULES, readScheduleButton, readSchedulesPage, schedulesMessage } from './list.ts'
import { readSchedule, SCHEDULE_VIEW, scheduleModal } from './modal.ts'

export interface ScheduleDeps {
  readonly schedules: Schedules
  readonly planner: Planner
  readonly workspace: Workspace
  readonly telephony: TelephonyClient
  readonly channels: Channels
  readonly audit: Audit
}

const title = 'Scheduled billing post'
const sorry = 'Sorry, something went wrong on our side. Look at `/billing schedules` and try again.'
const gone = 'That schedule is not there any more.'
const full = `There are ${MOST_SCHEDULES} schedules already, which is as many as fit. Delete one with \`/billing schedules\` first.`

/** What a submission comes to: a field's error, or what to show. */
type Saved = { readonly error: string } | { readonly said: string }

/** `/billing schedule` and `/billing schedules`. */
export function scheduleRoutes(deps: ScheduleDeps): {
  commands: readonly CommandRoute[]
  actions: readonly ActionRoute[]
  submissions: readonly SubmissionRoute[]
} {
  const { schedules, planner, workspace, telephony, channels, audit } = deps

  async function list({ tenant }: Interaction, page = 1, note?: string): Promise<Answer> {
    const options = { wanted: page, nonce: randomUUID().slice(0, 8), note }
    return { message: schedulesMessage(await planner.list(tenant), options) }
  }

  async function open({ tenant, channel, visitor }: Interaction, schedule?: Schedule): Promise<Modal> {
    // Who is not connected is told so before filling in a form.
    await workspace.account(tenant)
    if (!schedule && (await schedules.all(tenant)).length >= MOST_SCHEDULES) {
      return { modal: noticeModal(full, { title }) }
    }
    const { zone } = await workspace.zone(tenant, schedule?.channel ?? channel, visitor.person)
    return { modal: scheduleModal({ tenant: visitor.teamOf, channel, zone, schedule }) }
  }

  /** The next billing date, for showing; the service may be away without harm. */
  async function billingDay({ tenant }: Interaction): Promise<string | undefined> {
    try {
      const { nextBillingDay } = await telephony.billing(await workspace.account(tenant))
      return typeof nextBillingDay === 'string' ? nextBillingDay : undefined
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error
      return undefined
    }
  }

  /** @param viewId names a new schedule, so that a second submission of the same modal makes no second one */
  async function save(
    interaction: Interaction,
    given: ReturnType<typeof readSchedule>,
    viewId: string,
  ): Promise<Saved> {
    const { tenant, visitor } = interaction
    const { id, channel, day, time } = given
    const before = await schedules.get(tenant, id ?? viewId)
    if (id !== undefined && !before) return { said: gone }
    if (!before && (await schedules.all(tenant)).length >= MOST_SCHEDULES) return { said: full }
    const state = await channels.state(visitor.installation, channel)
    if (state !== 'ok') return { error: refusalInPlain(state) }
    const known = day.kind === 'billing-date' ? await billingDay(interaction) : undefined
    // What a person paused stays so; what a failure paused is mended by what is changed.
    const isPaused = before?.paused !== undefined && before.paused.why === undefined
    const schedule = await planner.keep({
      id: id ?? viewId,
      tenant: visitor.teamOf,
      channel,
      day,
      time,
      owner: visitor.person.id,
      ...(known === undefined ? {} : { billingDay: known }),
      ...(isPaused ? { paused: {} } : {}),
    })
    await audit.record(
      interaction,
      id === undefined ? 'schedule' : 'schedule changed',
      scheduleDetail(schedule),
    )
    const zone = await planner.zoneOf(schedule)
    const next = isPaused ? 'It is paused still' : `Next: ${nextText(schedule, zone)}`
    return {
      said: `Saved: ${scheduleText(schedule, zone)}. ${next}. \`/billing schedules\` lists them all.`,
    }
  }

  /** What a button of the list does, and the list as it is then. */
  const button = (
    action: string,
    what: string,
    note: string,
    act: (interaction: Interaction, schedule: Schedule) => Promise<unknown>,
  ): ActionRoute => ({
    action,
    needs: 'billing',
    async handle(interaction, { value }) {
      const { id, page } = readScheduleButton(value)
      const schedule = await schedules.get(interaction.tenant, id)
      if (!schedule) return list(interaction, page, gone)
      await act(interaction, schedule)
      await audit.record(interaction, what, scheduleDetail(schedule))
      return list(interaction, page, note)
    },
  })

  return {
    commands: [
      {
        command: 'billing',
        word: 'schedule',
        needs: 'billing',
        openModal: (interaction) => open(interaction),
      },
      { command: 'billing', word: 'schedules', needs: 'billing', handle: (interaction) => list(interaction) },
    ],
    actions: [
      { action: 'billing.schedule.new', needs: 'billing', openModal: (interaction) => open(interaction) },
      {
        action: 'billing.schedule.edit',
        needs: 'billing',
        async openModal(interaction, { value }) {
          const schedule = await schedules.get(interaction.tenant, readScheduleButton(value).id)
          return schedule ? open(interaction, schedule) : { modal: noticeModal(gone, { title }) }
        },
      },
      {
        action: 'billing.schedules.page.',
        needs: 'billing',
        handle: (interaction, { value }) => list(interaction, readSchedulesPage(value)),
      },
      button('billing.schedule.pause', 'schedule paused', 'Paused.', ({ tenant }, { id }) =>
        schedules.change(tenant, id, (current) => ({ ...current, paused: {} })),
      ),
      button(
        'billing.schedule.resume',
        'schedule resumed',
        'Resumed, in your name.',
        ({ visitor }, schedule) => {
          const { paused: _, ...rest } = schedule
          return planner.keep({ ...rest, owner: visitor.person.id })
        },
      ),
      button('billing.schedule.delete', 'schedule deleted', 'Deleted.', ({ tenant }, { id }) =>
        schedules.delete(tenant, id),
      ),
    ],
    submissions: [
      {
        view: SCHEDULE_VIEW,
        needs: 'billing',
        async handle(interaction, view, { slowly }) {
          const shown = (saved: Saved) => noticeModal('error' in saved ? saved.error : saved.said, { title })
          await slowly({
            work: save(interaction, readSchedule(view), view.id),
            inTime: (saved) =>
              'error' in saved
                ? { response_action: 'errors', errors: { channel: saved.error } }
                : update(shown(saved)),
            waiting: noticeModal('Saving… this takes a moment.', { title }),
            view: shown,
            failed: { note: 'a schedule could not be kept', view: noticeModal(sorry, { title }) },
          })
        },
      },
    ],
  }
}
