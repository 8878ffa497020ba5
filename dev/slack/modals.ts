import { takeClickAck, takeSubmissionAck } from './acknowledgements.ts'
import type { Actors } from './actors.ts'
import type { AppClient } from './app-client.ts'
import type { Core } from './core.ts'
import { isEmpty, type StateValues, stateValues } from './elements.ts'
import { Exchange } from './exchange.ts'
import type { CloseInput, SubmitInput } from './inputs.ts'
import { interactionFields, viewJson } from './payloads.ts'
import type { View } from './surfaces.ts'

/** What people do with a modal as a whole. */
export class Modals {
  readonly #core: Core
  readonly #actors: Actors
  readonly #app: AppClient

  constructor(core: Core, actors: Actors, app: AppClient) {
    this.#core = core
    this.#actors = actors
    this.#app = app
  }

  async submit(appUrl: string, input: SubmitInput): Promise<Exchange> {
    const core = this.#core
    const { view, values = {}, force = false } = input
    const open = core.views.mustGet(view)
    const state = stateValues(view.blocks, values, open.entered)
    if (!force) mustBeSubmittable(view, state)
    open.enter(state)
    const user = this.#actors.on({ view }, input.user)
    const { id: triggerId, trigger } = core.triggers.issue(view.team, user.id, view.id)
    const payload = {
      ...interactionFields('view_submission', view.team, user),
      trigger_id: triggerId,
      view: viewJson(view, state),
      response_urls: [],
      ...input.fields,
    }
    const exchange = new Exchange(payload, core.changes)
    trigger.exchange = exchange
    open.exchange = exchange
    await this.#app.sendPayload(appUrl, exchange, (response) => {
      exchange.result = takeSubmissionAck(exchange, response, open, core)
    })
    exchange.result ??= { action: 'failed', reason: exchange.error ?? 'failed' }
    return exchange
  }

  async close(appUrl: string, input: CloseInput): Promise<Exchange | undefined> {
    const core = this.#core
    const { view } = input
    const { entered } = core.views.mustGet(view)
    const user = this.#actors.on({ view }, input.user)
    const isCleared = view.clear_on_close === true
    if (isCleared) core.views.closeAll(view.rootId)
    else core.views.close(view.id)
    if (view.notify_on_close !== true) return undefined
    const payload = {
      ...interactionFields('view_closed', view.team, user),
      view: viewJson(view, stateValues(view.blocks, {}, entered)),
      is_cleared: isCleared,
      ...input.fields,
    }
    const exchange = new Exchange(payload, core.changes)
    return this.#app.sendPayload(appUrl, exchange, (response) => takeClickAck(exchange, response, core))
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
