import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { NotAllowedError } from '../../../slack/access/access-rules.ts'
import { modalWithMetadata, readMetadata } from '../../../slack/blocks/modal.ts'
import { textAnswer } from '../../../slack/deliver/answers.ts'
import { messageModal } from '../../../slack/deliver/modals.ts'
import { people } from '../../../slack/forms/fields.ts'
import { Form } from '../../../slack/forms/form.ts'
import * as routing from '../../../slack/routing/routes.ts'
import { getAlertId } from '../../../store/alerts.ts'
import type { Attribution } from '../../../store/missed-calls.ts'
import type { Workspace } from '../../../store/tenant.ts'
import * as actions from '../actions.ts'
import type { MissedCallAlerts } from '../kind.ts'
import * as changes from './changes.ts'
import type { CallHandling } from './handling.ts'

const ASSIGN_TITLE = 'Assign missed calls'
const ASSIGN_ID = 'alert.assign'

/** Not strict, because a modal's metadata holds its origin, too. */
const assignMetadataSchema = z.object(actions.alertMenuSchema.shape)

const assignForm = new Form({
  person: people('Who calls back?', [], {
    hint: 'They see it in the message, in /calls open and on Home.',
    validate: (ids) => (ids.length === 1 ? undefined : 'Choose one person.'),
  }),
})

const assignModal = ({ actor, channel }: routing.Interaction, metadata: actions.AlertMenuValue) =>
  modalWithMetadata(assignMetadataSchema, {
    id: ASSIGN_ID,
    origin: { workspace: actor.workspace, channel },
    metadata,
    title: ASSIGN_TITLE,
    submit: 'Assign',
    blocks: assignForm.inputs(),
  })

/** Handles clicks on the messages of alerts, which everyone sees, so the messages stay. */
export class MessageClicks {
  readonly #services
  readonly #handling
  readonly #subscriptions

  /** @param subscriptions changes and edits alerts */
  constructor(services: Services, handling: CallHandling, subscriptions: MissedCallAlerts) {
    this.#services = services
    this.#handling = handling
    this.#subscriptions = subscriptions
  }

  actions(): readonly routing.ActionRoute[] {
    const take = this.#changeHandler(changes.take)
    return [
      ...routing.bind(actions.messageActions, {
        take,
        takeLine: take,
        done: this.#changeHandler(changes.finish),
        undo: this.#changeHandler((_, { at }) => changes.undo(at)),
      }),
      ...routing.bind(actions.messageEntries, {
        assign: {
          needs: 'member',
          opensModal: true,
          handle: async ({ interaction, value }) => assignModal(interaction, value),
        },
        release: this.#changeHandler((by, { at }) => changes.release(by, at)),
        reopen: this.#changeHandler((_, { at }) => changes.reopen(at)),
        muteHour: this.#muteHandler('mute-hour'),
        muteDay: this.#muteHandler('mute-day'),
        edit: {
          needs: 'calls',
          opensModal: true,
          handle: ({ value, ...request }) =>
            this.#subscriptions.edit({ ...request, value: { id: getAlertId(value.id) } }),
        },
      }),
      ...routing.bind(actions.muteActions, {
        mute: this.#muteHandler('mute-hour'),
        turnOn: this.#muteHandler('turn-on'),
      }),
    ]
  }

  submissions(): readonly routing.SubmissionRoute[] {
    return [{ view: ASSIGN_ID, needs: 'member', handle: (request) => this.#assign(request) }]
  }

  /** Handles a button, or an entry of the menu, that changes calls. */
  #changeHandler<Value extends actions.ChosenCalls>(
    toChange: (by: Attribution, value: Value) => changes.CallChange,
  ): routing.ActionHandler<Value> {
    return {
      needs: 'member',
      replacesOriginal: false,
      handle: async ({ interaction, value }) => {
        const problem = await this.#handling.apply(interaction, value, (by) => toChange(by, value))
        return problem === undefined ? undefined : textAnswer(problem)
      },
    }
  }

  async #assign({ interaction, view }: routing.SubmissionRequest): Promise<routing.SubmissionResult> {
    const { values, errors } = assignForm.read(view)
    if (!values) return { errors }
    const [personId = ''] = values.person
    const assignee = await this.#findAssignee(interaction.actor.workspace, personId)
    if (!assignee)
      return { errors: { person: "They can't see calls. Choose someone else, or ask an administrator." } }
    const value = readMetadata(view, assignMetadataSchema)
    const assign = (by: Attribution) => changes.assign(assignee, by, value.at)
    const problem = await this.#handling.apply(interaction, value, assign)
    return { view: messageModal(problem ?? 'Assigned.', { title: ASSIGN_TITLE }) }
  }

  /** Returns undefined for someone who can't see calls. */
  async #findAssignee(workspace: Workspace, id: string): Promise<changes.Assignee | undefined> {
    try {
      const { person } = await this.#services.guards.admit(workspace, id, 'calls')
      return { person: person.id, name: person.name }
    } catch (error) {
      if (error instanceof NotAllowedError) return undefined
      throw error
    }
  }

  /** The action's value names the alert, or its message. */
  #muteHandler(
    name: 'mute-hour' | 'mute-day' | 'turn-on',
  ): routing.ActionHandler<{ readonly alert: string } | actions.AlertMenuValue> {
    return {
      needs: 'calls',
      replacesOriginal: false,
      handle: async ({ interaction, value }) => {
        const id = 'alert' in value ? value.alert : getAlertId(value.id)
        const sentence = await this.#subscriptions.records.change(interaction, id, name)
        return textAnswer(sentence)
      },
    }
  }
}
