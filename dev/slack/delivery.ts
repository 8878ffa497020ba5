import { Agent } from 'undici'
import type { Core } from './core.ts'
import type { RawInput } from './inputs.ts'
import type { Interaction } from './interaction.ts'
import type { Json } from './shapes.ts'
import { type Answer, post, signedHeaders } from './signing.ts'

export interface DeliveryOptions {
  readonly signingSecret: string
  readonly ackTimeoutMs: number
}

/** Signed requests to the app, and how long it took to acknowledge them. */
export class Delivery {
  readonly #core: Core
  readonly #options: DeliveryOptions
  readonly #agent = new Agent({ keepAliveTimeout: 10_000 })

  constructor(core: Core, options: DeliveryOptions) {
    this.#core = core
    this.#options = options
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  async raw(appUrl: string, input: RawInput): Promise<Answer> {
    const at = input.timestamp ?? Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...signedHeaders(input.body, input.secret ?? this.#options.signingSecret, at),
      ...input.headers,
    }
    const { ackTimeoutMs } = this.#options
    const answer = await post(`${appUrl}/slack/events`, input.body, headers, this.#agent, ackTimeoutMs)
    this.#core.acknowledged.push(answer.text)
    return answer
  }

  /** Sends the fields as a form, and hands on what came back in time. */
  async form(
    appUrl: string,
    fields: Json,
    interaction: Interaction,
    take: (answer: Answer) => void,
  ): Promise<Interaction> {
    const body = new URLSearchParams()
    for (const [key, value] of Object.entries(fields)) body.set(key, String(value))
    try {
      const answer = await this.raw(appUrl, { body: body.toString() })
      interaction.status = answer.status
      interaction.ackMs = answer.ms
      interaction.ackBody = answer.body
      take(answer)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
      interaction.timedOut = true
      interaction.error = 'operation_timeout'
    } finally {
      this.#core.changes.notify()
    }
    return interaction
  }

  /** Sends an interaction's payload: a form with one field of JSON. */
  payload(
    appUrl: string,
    payload: Json,
    interaction: Interaction,
    take: (answer: Answer) => void,
  ): Promise<Interaction> {
    return this.form(appUrl, { payload: JSON.stringify(payload) }, interaction, take)
  }
}
