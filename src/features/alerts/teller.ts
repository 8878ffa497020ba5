import type { AlertNow } from '../../alerts/alert-state.ts'
import {
  addToMessage,
  beginMessage,
  changeEveryMs,
  nextStep,
  shown,
  takeBack,
} from '../../alerts/alert-steps.ts'
import { countOf } from '../../alerts/call-batch.ts'
import type { Tell } from '../../alerts/dispatcher.ts'
import type { Services } from '../../services.ts'
import {
  ALERT_MESSAGES_KEPT_MS,
  type AlertRecord,
  type AlertStateRecord,
  type OpenMessage,
} from '../../store/alerts.ts'
import type { Generation } from '../../store/generations.ts'
import type { EpochMs } from '../../util/units.ts'
import { FailedTelling } from './failed-telling.ts'
import { contentOf, originOf } from './message-record.ts'
import type { MessageSender } from './message-sender.ts'

/** A message that is shown, and another one begun: more than any alert needs at a time. */
const mostSteps = 6

type TellerServices = Pick<Services, 'store' | 'workspaces' | 'notices' | 'metrics' | 'now'>

/**
 * Tells what alerts have noted. Each call is told at most once, whatever is killed when: the alert's row says who sends what
 * before it is sent. Where a message left and its arrival was not noted, its owner is told to look.
 */
export const teller =
  (services: TellerServices, sender: MessageSender): Tell =>
  async (alert, generation) => {
    const telling = new Telling(services, sender, alert, generation)
    let next: Awaited<ReturnType<Telling['step']>> = 'goes-on'
    for (let steps = 0; steps < mostSteps && next === 'goes-on'; steps += 1) next = await telling.step()
    const due = next === 'goes-on' ? services.now() + changeEveryMs : next === 'over' ? undefined : next
    const state = await services.store.alertStates.get(generation.key, alert.id)
    return { due, isStuck: state?.trouble !== undefined }
  }

/** One alert being told. */
class Telling {
  readonly #services
  readonly #sender
  readonly #failed
  readonly #alert
  readonly #generation
  /** The message of which is known that nothing can be added to it. */
  #closed: string | undefined

  constructor(services: TellerServices, sender: MessageSender, alert: AlertRecord, generation: Generation) {
    this.#services = services
    this.#sender = sender
    this.#failed = new FailedTelling(services)
    this.#alert = alert
    this.#generation = generation
  }

  /** @returns when there is more to do, where that is not now */
  async step(): Promise<EpochMs | 'goes-on' | 'over'> {
    const { store } = this.#services
    const state = await store.alertStates.get(this.#tenant, this.#alert.id)
    if (!state) return 'over'
    await this.#lookWhetherClosed(state.open)
    const one = await this.#now()
    const next = nextStep(state, one, this.#isClosed(state))
    switch (next.kind) {
      case 'nothing':
        return state.trouble ? this.#tryAgain(state, one) : 'over'
      case 'wait':
        return next.until
      case 'lost':
        await this.#failed.giveUp(this.#alert, next.open)
        return 'goes-on'
      case 'post':
        return this.#post()
      case 'show':
        return this.#show()
    }
  }

  get #tenant() {
    return this.#generation.key
  }

  async #now(): Promise<AlertNow> {
    const { zone } = await this.#services.workspaces.zone(this.#tenant, this.#alert.channel)
    return { alert: this.#alert, zone, now: this.#services.now() }
  }

  readonly #isClosed = ({ open }: AlertStateRecord): boolean => open !== undefined && open.id === this.#closed

  async #lookWhetherClosed(open: OpenMessage | undefined): Promise<void> {
    if (open?.ts === undefined) return
    const row = await this.#services.store.alertMessages.get(this.#tenant, open.id)
    if (!row || row.done) this.#closed = open.id
  }

  #change(change: (state: AlertStateRecord) => AlertStateRecord | undefined) {
    return this.#services.store.alertStates.change(this.#tenant, this.#alert.id, change)
  }

  /** Where nothing is to be told, whether it could be: nobody is to read of trouble that is over. */
  async #tryAgain({ retryAt = 0, trouble }: AlertStateRecord, { now }: AlertNow): Promise<EpochMs | 'over'> {
    if (now < retryAt) return retryAt
    const actor = await this.#sender.admit(this.#alert)
    if ('kind' in actor) return this.#failed.fail(this.#alert, actor)
    await this.#change(({ trouble: current, retryAt: _, ...state }) =>
      current?.since === trouble?.since ? state : undefined,
    )
    return 'over'
  }

  async #post(): Promise<EpochMs | 'goes-on' | 'over'> {
    const { store } = this.#services
    const actor = await this.#sender.admit(this.#alert)
    if ('kind' in actor) return this.#failed.fail(this.#alert, actor)
    const one = await this.#now()
    const begun = await this.#change((state) =>
      nextStep(state, one, this.#isClosed(state)).kind === 'post' ? beginMessage(state, one) : undefined,
    )
    const open = begun?.open
    // Somebody else sends it, or all of it is too old by now.
    if (!open || open.ts !== undefined) return 'goes-on'
    const row = { ...contentOf(open), ...originOf(this.#alert) }
    if (!(await store.alertMessages.set(this.#generation, open.id, row, ALERT_MESSAGES_KEPT_MS)))
      return 'over'
    const sent = await this.#sender.post(actor, row)
    switch (sent.kind) {
      case 'sent': {
        const { ts } = sent
        await store.alertMessages.change(this.#tenant, open.id, (current) => ({ ...current, ts }))
        await this.#noteShown(open, ts)
        return 'goes-on'
      }
      case 'unknown':
        await this.#failed.giveUp(this.#alert, open)
        return 'goes-on'
      default:
        await store.alertMessages.delete(this.#tenant, open.id)
        return this.#failed.fail(this.#alert, sent, open)
    }
  }

  async #show(): Promise<EpochMs | 'goes-on'> {
    const { store } = this.#services
    const actor = await this.#sender.admit(this.#alert)
    if ('kind' in actor) return this.#failed.fail(this.#alert, actor)
    const one = await this.#now()
    const changed = await this.#change((state) => {
      const isClosed = this.#isClosed(state)
      return nextStep(state, one, isClosed).kind === 'show' ? addToMessage(state, one, isClosed) : undefined
    })
    const open = changed?.open
    if (!open) return 'goes-on'
    const content = contentOf(open)
    const row = await store.alertMessages.change(this.#tenant, open.id, (current) => ({
      ...current,
      ...content,
    }))
    const sent = row ? await this.#sender.show(actor.installation, row) : 'gone'
    if (sent === 'gone') {
      this.#closed = open.id
      await this.#change((state) => takeBack(state, open.id))
      return 'goes-on'
    }
    if (sent.kind === 'permanent') return this.#failed.fail(this.#alert, sent, open)
    // It may be shown by now, and may be shown again.
    if (sent.kind !== 'sent')
      return this.#failed.postpone(this.#alert, sent.kind === 'transient' ? sent.retryAfterMs : undefined)
    await this.#noteShown(open, sent.ts)
    return 'goes-on'
  }

  async #noteShown({ id, count, unshown, calls }: OpenMessage, ts: string): Promise<void> {
    const { metrics, now } = this.#services
    const at = now()
    await this.#change((state) => shown(state, { id, count, ts, now: at }))
    metrics.alerts.calls(unshown ? countOf(unshown) : 0, at - (calls[0]?.at ?? at))
  }
}
