import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type { Click } from '../../slack/inbound/payloads.ts'
import {
  type ActionHandler,
  bind,
  type CommandRequest,
  type FeatureRoutes,
  type Interaction,
} from '../../slack/routing/routes.ts'
import { POLL_ID } from '../../store/alerts.ts'
import { recentLabel } from '../../time/zones.ts'
import {
  type AlertMenuValue,
  type ChosenCalls,
  messageActions,
  messageEntries,
  muteActions,
  openActions,
  type UndoneCalls,
} from './actions.ts'
import { AlertDelivery } from './delivery.ts'
import { type Announcements, announceAssignment, announceRelease } from './handling/announcements.ts'
import { ASSIGN_ID, assignModal, submitAssignment } from './handling/assign.ts'
import {
  type Assignee,
  assign,
  type CallChange,
  finish,
  release,
  reopen,
  take,
  undoAssign,
  undoRelease,
} from './handling/changes.ts'
import type { CallHandling, Handled } from './handling/handling.ts'
import { type CallChangeName, describeProblem, goneText } from './handling/results.ts'
import type { MissedCallAlerts } from './kind.ts'
import type { AlertMessages } from './messages.ts'
import type { OpenLists } from './open/list.ts'
import { Poller } from './poller.ts'

export interface AlertParts {
  readonly messages: AlertMessages
  readonly handling: CallHandling
  readonly announcements: Announcements
  readonly openLists: OpenLists
  /** Changes and edits alerts. */
  readonly subscriptions: MissedCallAlerts
}

/** Handles clicks on the messages of alerts. */
class MessageClicks {
  readonly #services
  readonly #parts

  constructor(services: Services, parts: AlertParts) {
    this.#services = services
    this.#parts = parts
  }

  attribute(interaction: Interaction) {
    return this.#parts.handling.attribute(interaction)
  }

  /** Applies only the first of several clicks, even across processes. */
  async change(
    interaction: Interaction,
    chosen: ChosenCalls,
    { name, change, ts }: { name: CallChangeName; change: CallChange; ts?: string },
  ): Promise<{ readonly problem: string | undefined; readonly handled: Handled | undefined }> {
    const handled = await this.#parts.handling.apply(interaction, chosen, change, ts)
    if (!handled) return { problem: goneText, handled }
    const { workspaces, now } = this.#services
    const { zone } = await workspaces.zone(interaction.tenant, handled.message.channel)
    const formatTime = (at: number) => recentLabel(zone, new Date(at), new Date(now()))
    return { problem: describeProblem(name, handled, formatTime), handled }
  }

  async release(
    interaction: Interaction,
    { id, at }: AlertMenuValue,
    ts: string,
  ): Promise<string | undefined> {
    const by = this.attribute(interaction)
    const change = release(by, at)
    const { problem, handled } = await this.change(interaction, { id }, { name: 'release', change, ts })
    if (handled) await this.#announce(interaction, handled, announceRelease(by, handled.before, { id }))
    return problem
  }

  async assign(interaction: Interaction, to: Assignee, { id, at }: AlertMenuValue): Promise<string> {
    const by = this.attribute(interaction)
    const change = assign(to, by, at)
    const { problem, handled } = await this.change(interaction, { id }, { name: 'assign', change })
    if (handled && handled.changed.length > 0)
      await this.#announce(interaction, handled, announceAssignment(by, to, handled.before, { id }))
    return problem ?? 'Assigned.'
  }

  #announce({ actor }: Interaction, { message }: Handled, text: ReturnType<typeof announceRelease>) {
    return this.#parts.announcements.post(actor, message.channel, text)
  }

  /** Applies an entry of the menu to the alert that sent the message. */
  async mute(
    interaction: Interaction,
    { id }: AlertMenuValue,
    name: 'mute-hour' | 'mute-day',
  ): Promise<string> {
    const message = await this.#services.store.alertMessages.get(interaction.tenant, id)
    return message ? this.#parts.subscriptions.apply(interaction, message.alertId, name) : goneText
  }

  async edit(interaction: Interaction, { id }: AlertMenuValue, click: Click) {
    const message = await this.#services.store.alertMessages.get(interaction.tenant, id)
    const value = { id: message?.alertId ?? '' }
    return this.#parts.subscriptions.edit({ interaction, value, click })
  }
}

const toAnswer = (problem: string | undefined): Answer | undefined =>
  problem === undefined ? undefined : textAnswer(problem)

/** Polls for missed calls, and handles clicks on their messages and lists. */
export function missedCallPolling(services: Services, parts: AlertParts): FeatureRoutes {
  const { store, workspaces } = services
  const { handling, openLists, subscriptions } = parts
  const clicks = new MessageClicks(services, parts)
  const delivery = new AlertDelivery(services, parts.messages)
  const poller = new Poller(services, delivery).work()
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.polls.change(tenant, POLL_ID, ({ failing: _, ...poll }) => poll)
  })

  /** Handles a button below a message that everyone sees, so that the message stays. */
  const button = <Value extends ChosenCalls>(
    name: CallChangeName,
    makeChange: (interaction: Interaction, value: Value) => CallChange,
  ): ActionHandler<Value> => ({
    needs: 'member',
    replacesOriginal: false,
    async handle({ interaction, value, click }) {
      const ts = click.replyTo.message
      const { id, line } = value
      const change = makeChange(interaction, value)
      return toAnswer((await clicks.change(interaction, { id, line }, { name, change, ts })).problem)
    },
  })
  /** An announcement has another place than the message about its calls. */
  const undo = (makeChange: (at: number) => CallChange): ActionHandler<UndoneCalls> => ({
    needs: 'member',
    replacesOriginal: false,
    async handle({ interaction, value: { id, line, at } }) {
      const change = makeChange(at)
      return toAnswer((await clicks.change(interaction, { id, line }, { name: 'undo', change })).problem)
    },
  })
  const takeCalls = button('take', (interaction) => take(clicks.attribute(interaction)))
  const mute = (name: 'mute-hour' | 'mute-day'): ActionHandler<AlertMenuValue> => ({
    needs: 'calls',
    replacesOriginal: false,
    handle: async ({ interaction, value }) => textAnswer(await clicks.mute(interaction, value, name)),
  })
  const applyToAlert = (name: 'mute-hour' | 'turn-on'): ActionHandler<{ readonly alert: string }> => ({
    needs: 'calls',
    replacesOriginal: false,
    handle: async ({ interaction, value: { alert } }) =>
      textAnswer(await subscriptions.apply(interaction, alert, name)),
  })
  const list = ({ interaction }: Pick<CommandRequest, 'interaction'>) =>
    openLists.list(interaction, { view: 'open', page: 1 })
  const listTaken = ({ interaction }: CommandRequest) =>
    openLists.list(interaction, { view: 'taken', page: 1 })

  return {
    ...poller,
    jobs: [...(poller.jobs ?? []), handling.work()],
    commands: [
      { command: 'calls', word: 'open', needs: 'calls', handle: list },
      { command: 'calls', word: 'waiting', needs: 'calls', handle: list },
      { command: 'calls', word: 'taken', needs: 'calls', handle: listTaken },
    ],
    submissions: [
      {
        view: ASSIGN_ID,
        needs: 'member',
        handle: ({ interaction, view }) =>
          submitAssignment(services, interaction, view, (to, value) => clicks.assign(interaction, to, value)),
      },
    ],
    actions: [
      ...bind(messageActions, {
        take: takeCalls,
        takeLine: takeCalls,
        done: button('finish', (interaction) => finish(clicks.attribute(interaction))),
        undoRelease: undo(undoRelease),
        undoAssign: undo(undoAssign),
      }),
      ...bind(messageEntries, {
        assign: {
          needs: 'member',
          opensModal: true,
          handle: async ({ interaction, value }) => assignModal(interaction, value),
        },
        release: {
          needs: 'member',
          replacesOriginal: false,
          handle: async ({ interaction, value, click }) =>
            toAnswer(await clicks.release(interaction, value, click.replyTo.message)),
        },
        reopen: {
          needs: 'member',
          replacesOriginal: false,
          async handle({ interaction, value: { id, at }, click }) {
            const change = reopen(at)
            const ts = click.replyTo.message
            return toAnswer(
              (await clicks.change(interaction, { id }, { name: 'reopen', change, ts })).problem,
            )
          },
        },
        muteHour: mute('mute-hour'),
        muteDay: mute('mute-day'),
        edit: {
          needs: 'calls',
          opensModal: true,
          handle: ({ interaction, value, click }) => clicks.edit(interaction, value, click),
        },
      }),
      ...bind(muteActions, { mute: applyToAlert('mute-hour'), turnOn: applyToAlert('turn-on') }),
      ...bind(openActions, {
        // The button is in a report that everyone may see, so the report stays.
        show: { needs: 'calls', replacesOriginal: false, handle: list },
        page: { needs: 'calls', handle: ({ interaction, value }) => openLists.list(interaction, value) },
        take: { needs: 'calls', handle: ({ interaction, value }) => openLists.take(interaction, value) },
        done: { needs: 'calls', handle: ({ interaction, value }) => openLists.finish(interaction, value) },
        release: {
          needs: 'calls',
          handle: ({ interaction, value }) => openLists.release(interaction, value),
        },
      }),
    ],
  }
}
