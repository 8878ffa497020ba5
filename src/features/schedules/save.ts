import type { ScheduleKind } from '../../scheduler/kind.ts'
import { MOST_SCHEDULES } from '../../scheduler/kinds.ts'
import { scheduleDetail } from '../../scheduler/schedule-text.ts'
import type { Services } from '../../services.ts'
import { plainChannelRefusal } from '../../slack/deliver/failures.ts'
import { type FormOrigin, listAgain } from '../../slack/deliver/form-origin.ts'
import { noticeModal } from '../../slack/deliver/modals.ts'
import type { Interaction, SubmissionResult } from '../../slack/routing/routes.ts'
import type { ScheduleDraft } from '../../store/schedules.ts'
import { notFound, savedText } from './list.ts'
import type { ScheduleLists } from './lists.ts'
import { titleOf } from './modal.ts'

export const fullText = `This workspace has ${MOST_SCHEDULES} schedules, the most it can have. Delete one first.`

/** What somebody filled in, and which schedule it is of. */
export interface FilledForm {
  readonly draft: ScheduleDraft
  readonly origin: FormOrigin
  /** Of a new schedule, so that a second submission of the same modal makes no second one. */
  readonly newId: string
}

/** Keeps what a form asks for. */
export class ScheduleSaver {
  readonly #services
  readonly #kind
  readonly #lists

  constructor(
    services: Pick<Services, 'channels' | 'audit' | 'now'>,
    kind: ScheduleKind,
    lists: ScheduleLists,
  ) {
    this.#services = services
    this.#kind = kind
    this.#lists = lists
  }

  /** In the form's place. */
  notice(text: string) {
    return noticeModal(text, { title: titleOf(this.#kind.info) })
  }

  /** Of as many as there may be. @throws {StoreError} */
  async isFull({ tenant }: Interaction): Promise<boolean> {
    return (await this.#kind.scheduler.schedules.all(tenant)).length >= MOST_SCHEDULES
  }

  /** What keeps it from being kept; `undefined` where nothing does. @throws {StoreError | SlackUnavailableError} */
  async refusal(
    interaction: Interaction,
    { draft, origin, newId }: FilledForm,
  ): Promise<SubmissionResult | undefined> {
    const before = await this.#kind.scheduler.schedules.get(interaction.tenant, origin.id ?? newId)
    if (origin.id !== undefined && !before) return { view: this.notice(notFound) }
    if (!before && (await this.isFull(interaction))) return { view: this.notice(fullText) }
    const state = await this.#services.channels.state(interaction.actor, draft.channel)
    return state === 'ok' ? undefined : { errors: { channel: plainChannelRefusal(state) } }
  }

  /** @throws {StoreError | SlackUnavailableError} */
  async save(interaction: Interaction, filled: FilledForm): Promise<SubmissionResult> {
    const { scheduler, info } = this.#kind
    const { audit, now } = this.#services
    const { actor, tenant } = interaction
    const { draft, origin, newId } = filled
    const id = origin.id ?? newId
    const refusal = await this.refusal(interaction, filled)
    if (refusal) return refusal
    const before = await scheduler.schedules.get(tenant, id)
    const learned = await this.#kind.learn(interaction, draft, before)
    // What a person paused stays so; what a failure paused is mended by what is changed.
    const isPaused = before?.paused !== undefined && before.paused.why === undefined
    const schedule = await scheduler.keep({
      id,
      tenant: actor.team,
      ...draft,
      owner: actor.person.id,
      ...learned,
      ...(isPaused ? { paused: {} } : {}),
    })
    const isSame =
      before !== undefined &&
      before.owner === schedule.owner &&
      before.paused?.why === undefined &&
      before.report?.onlyWithCalls === schedule.report?.onlyWithCalls &&
      scheduleDetail(before) === scheduleDetail(schedule)
    const isNew = origin.id === undefined
    const what = isNew ? info.audit.schedule : `${info.audit.schedule} changed`
    if (!isSame) await audit.record(actor, what, scheduleDetail(schedule))
    const text = savedText({ schedule, zone: await scheduler.zoneOf(schedule) }, isNew, new Date(now()))
    const beside = listAgain(origin.list, (page) => this.#lists.show(interaction, page))
    return { view: this.notice(text), beside }
  }
}
