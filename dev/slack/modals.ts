import { takeClickAck, takeSubmissionAck } from './acks.ts'
import type { Core } from './core.ts'
import type { Delivery } from './delivery.ts'
import { isEmpty, type StateValues, stateKey, stateValues } from './elements.ts'
import type { CloseInput, SubmitInput } from './inputs.ts'
import { Interaction } from './interaction.ts'
import { interactionFields, viewJson } from './payloads.ts'
import type { HeldView, View } from './stores.ts'
import type { Who } from './who.ts'

/** What people do with a modal as a whole. */
export class Modals {
  readonly #core: Core
  readonly #who: Who
  readonly #delivery: Delivery

  constructor(core: Core, who: Who, delivery: Delivery) {
    this.#core = core
    this.#who = who
    this.#delivery = delivery
  }

  /** Keeps what was entered: an update that keeps the ids of block and element keeps the values, too. */
  enter(held: HeldView, state: StateValues): void {
    for (const [blockId, byAction] of Object.entries(state)) {
      for (const [actionId, value] of Object.entries(byAction))
        held.entered.set(stateKey(blockId, actionId), value)
    }
  }

  async submit(appUrl: string, input: SubmitInput): Promise<Interaction> {
    const core = this.#core
    const { view, values = {}, force = false } = input
    const held = this.#who.held(view)
    const state = stateValues(view.blocks, values, held.entered)
    if (!force) mustBeSubmittable(view, state)
    this.enter(held, state)
    const user = this.#who.actor({ view }, input.user)
    const { id: triggerId, trigger } = core.triggers.issue(view.team, user.id, view.id)
    const payload = {
      ...interactionFields('view_submission', view.team, user),
      trigger_id: triggerId,
      view: viewJson(view, state),
      response_urls: [],
      ...input.fields,
    }
    const interaction = new Interaction(payload, core.changes)
    trigger.interaction = interaction
    held.interaction = interaction
    await this.#delivery.payload(appUrl, payload, interaction, (answer) => {
      interaction.outcome = takeSubmissionAck(interaction, answer, held, core)
    })
    interaction.outcome ??= { action: 'failed', why: interaction.error ?? 'failed' }
    return interaction
  }

  async close(appUrl: string, input: CloseInput): Promise<Interaction | undefined> {
    const { view } = input
    const { entered } = this.#who.held(view)
    const user = this.#who.actor({ view }, input.user)
    const isCleared = view.clear_on_close === true
    if (isCleared) this.#core.views.closeAll(view.rootId)
    else this.#core.views.close(view.id)
    if (view.notify_on_close !== true) return undefined
    const payload = {
      ...interactionFields('view_closed', view.team, user),
      view: viewJson(view, stateValues(view.blocks, {}, entered)),
      is_cleared: isCleared,
      ...input.fields,
    }
    const interaction = new Interaction(payload, this.#core.changes)
    return this.#delivery.payload(appUrl, payload, interaction, (answer) =>
      takeClickAck(interaction, answer, this.#core),
    )
  }
}

function mustBeSubmittable(view: View, state: StateValues): void {
  if (view.submit === undefined) throw new Error('the view has no submit button')
  for (const block of view.blocks) {
    if (block.type !== 'input' || block.optional === true) continue
    const values = Object.values(state[block.block_id ?? ''] ?? {})
    if (values.some(isEmpty))
      throw new Error(`Slack would not submit: ${block.element?.action_id} is required`)
  }
}
