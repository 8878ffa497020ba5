import { isOwn } from '../../query/filters/filters.ts'
import type { Services } from '../../services.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import {
  type ActionHandler,
  bind,
  type CommandRoute,
  type FeatureRoutes,
  type Interaction,
} from '../../slack/routing/routes.ts'
import { unknownWordsMessage } from '../../slack/routing/words.ts'
import { POLL_ID } from '../../store/alerts.ts'
import type { Attribution } from '../../store/missed-calls.ts'
import { recentLabel } from '../../time/zones.ts'
import {
  type AlertMenuValue,
  type ChosenCalls,
  messageActions,
  messageEntries,
  muteActions,
  type OpenRow,
  type OpenView,
  openActions,
} from './actions.ts'
import { AlertDelivery } from './delivery.ts'
import { ASSIGN_ID, assignModal, submitAssignment } from './handling/assign.ts'
import * as changes from './handling/changes.ts'
import type { CallHandling } from './handling/handling.ts'
import { describeProblem, goneText } from './handling/results.ts'
import type { MissedCallAlerts } from './kind.ts'
import type { AlertMessages } from './messages.ts'
import type { OpenLists } from './open/list.ts'
import { Poller } from './poller.ts'

export interface AlertParts {
  readonly messages: AlertMessages
  readonly handling: CallHandling
  readonly openLists: OpenLists
  /** Changes and edits alerts. */
  readonly subscriptions: MissedCallAlerts
}

/** Handles clicks on the messages of alerts, which everyone sees, so the messages stay. */
class MessageClicks {
  readonly #services
  readonly #parts

  constructor(services: Services, parts: AlertParts) {
    this.#services = services
    this.#parts = parts
  }

  attribute({ actor }: Interaction): Attribution {
    return { person: actor.person.id, name: actor.person.name, at: this.#services.now() }
  }

  /** Returns what the message doesn't show, for the person who clicked. */
  async change(
    interaction: Interaction,
    { id, line }: ChosenCalls,
    change: changes.CallChange,
  ): Promise<string | undefined> {
    const handled = await this.#parts.handling.apply(interaction, { id, line }, change)
    if (!handled) return goneText
    const { workspaces, now } = this.#services
    const { zone } = await workspaces.zone(interaction.tenant, handled.message.channel)
    return describeProblem(change, handled, (at) => recentLabel(zone, new Date(at), new Date(now())))
  }

  /** Handles a button, or an entry of the menu, that changes calls. */
  changeHandler<Value extends ChosenCalls>(
    toChange: (by: Attribution, value: Value) => changes.CallChange,
  ): ActionHandler<Value> {
    return {
      needs: 'member',
      replacesOriginal: false,
      handle: async ({ interaction, value }): Promise<Answer | undefined> => {
        const change = toChange(this.attribute(interaction), value)
        const problem = await this.change(interaction, value, change)
        return problem === undefined ? undefined : textAnswer(problem)
      },
    }
  }

  /** Handles an entry of the menu, for the alert that sent the message. */
  muteHandler(name: 'mute-hour' | 'mute-day'): ActionHandler<AlertMenuValue> {
    return {
      needs: 'calls',
      replacesOriginal: false,
      handle: async ({ interaction, value: { id } }) => {
        const message = await this.#services.store.alertMessages.get(interaction.tenant, id)
        if (!message) return textAnswer(goneText)
        return textAnswer(await this.#parts.subscriptions.changes.apply(interaction, message.alertId, name))
      },
    }
  }

  /** Handles a button below an announcement about an alert. */
  alertHandler(name: 'mute-hour' | 'turn-on'): ActionHandler<{ readonly alert: string }> {
    return {
      needs: 'calls',
      replacesOriginal: false,
      handle: async ({ interaction, value: { alert } }) =>
        textAnswer(await this.#parts.subscriptions.changes.apply(interaction, alert, name)),
    }
  }

  editHandler(): ActionHandler<AlertMenuValue> {
    return {
      needs: 'calls',
      opensModal: true,
      handle: async ({ interaction, value, click }) => {
        const message = await this.#services.store.alertMessages.get(interaction.tenant, value.id)
        const id = message?.alertId ?? ''
        return this.#parts.subscriptions.form.edit({ interaction, value: { id }, click })
      },
    }
  }
}

/** Polls for missed calls, and handles clicks on their messages and lists. */
export function missedCallPolling(services: Services, parts: AlertParts): FeatureRoutes {
  const { store, workspaces } = services
  const { handling, openLists } = parts
  const clicks = new MessageClicks(services, parts)
  const poller = new Poller(services, new AlertDelivery(services, parts.messages)).work()
  // Retries at once, because the cause of a failure may be fixed.
  workspaces.on('connect', async (tenant) => {
    await store.polls.change(tenant, POLL_ID, ({ failing: _, ...poll }) => poll)
  })

  const list = (interaction: Interaction, view: OpenView) => openLists.list(interaction, { view, page: 1 })
  /** `/calls open`, and `/calls open mine`: words come in any order. */
  const listCommand = (word: 'open' | 'waiting' | 'taken', view: OpenView): CommandRoute => ({
    command: 'calls',
    word,
    moreWords: 'read',
    needs: 'calls',
    async handle({ interaction, words }) {
      const others = words.filter(({ value }) => !isOwn(value))
      if (others.length > 0) return { message: unknownWordsMessage(others, `/calls ${word}`) }
      return list(interaction, words.length === 0 ? view : 'mine')
    },
  })
  const rowHandler = (toChange: (by: Attribution) => changes.CallChange): ActionHandler<OpenRow> => ({
    needs: 'calls',
    handle: ({ interaction, value }) =>
      openLists.change(interaction, value, toChange(clicks.attribute(interaction))),
  })

  return {
    ...poller,
    jobs: [...(poller.jobs ?? []), handling.work()],
    commands: [listCommand('open', 'open'), listCommand('waiting', 'open'), listCommand('taken', 'taken')],
    submissions: [
      {
        view: ASSIGN_ID,
        needs: 'member',
        handle: (request) =>
          submitAssignment(services, request, (to, value) => {
            const { interaction } = request
            const change = changes.assign(to, clicks.attribute(interaction), value.at)
            return clicks.change(interaction, value, change)
          }),
      },
    ],
    actions: [
      ...bind(messageActions, {
        take: clicks.changeHandler(changes.take),
        takeLine: clicks.changeHandler(changes.take),
        done: clicks.changeHandler(changes.finish),
        undoRelease: clicks.changeHandler((_, { at }) => changes.undo(at)),
        undoAssign: clicks.changeHandler((_, { at }) => changes.undo(at)),
      }),
      ...bind(messageEntries, {
        assign: {
          needs: 'member',
          opensModal: true,
          handle: async ({ interaction, value }) => assignModal(interaction, value),
        },
        release: clicks.changeHandler((by, { at }) => changes.release(by, at)),
        reopen: clicks.changeHandler((_, { at }) => changes.reopen(at)),
        muteHour: clicks.muteHandler('mute-hour'),
        muteDay: clicks.muteHandler('mute-day'),
        edit: clicks.editHandler(),
      }),
      ...bind(muteActions, {
        mute: clicks.alertHandler('mute-hour'),
        turnOn: clicks.alertHandler('turn-on'),
      }),
      ...bind(openActions, {
        // The button is in a report that everyone may see, so the report stays.
        show: {
          needs: 'calls',
          replacesOriginal: false,
          handle: ({ interaction }) => list(interaction, 'open'),
        },
        page: { needs: 'calls', handle: ({ interaction, value }) => openLists.list(interaction, value) },
        take: rowHandler(changes.take),
        done: rowHandler(changes.finish),
        release: rowHandler((by) => changes.release(by, by.at)),
      }),
    ],
  }
}
