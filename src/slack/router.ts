import { randomUUID } from 'node:crypto'
import type { App, types, ViewResponseAction } from '@slack/bolt'
import type { z } from 'zod'
import type { Log, RequestIds } from '../log.ts'
import { type Tenant, type TenantKey, tenantKey } from '../store/tenant.ts'
import { type ApologyContext, apologize, type Outcome } from './apologies.ts'
import { ForgedValueError } from './errors.ts'
import type { Guards, Visitor } from './guards.ts'
import type { LatestClick } from './latest-click.ts'
import {
  type ActionPayload,
  blockActionsPayload,
  commandPayload,
  suggestionPayload,
  type ViewPayload,
  viewSubmissionPayload,
} from './payloads.ts'
import type { Answer, Replies } from './reply.ts'
import { splitWords, type Word } from './words.ts'

export interface Interaction {
  readonly visitor: Visitor
  readonly tenant: TenantKey
  /** `undefined` in a view that belongs to no channel. */
  readonly channel: string
  readonly triggerId: string
  /** What a Retry button would carry, should this interaction fail from here on. */
  offerRetry(retry: NonNullable<ApologyContext['retry']>): void
}

export interface CommandRoute {
  /** Without the slash. */
  readonly command: string
  /** The command's first word that leads here; none: every other one. */
  readonly word?: string
  readonly needs: Needs
  handle(interaction: Interaction, words: readonly Word[]): Promise<Answer | undefined>
}

export type Needs = 'member' | 'admin' | 'anyone'

export interface ActionRoute {
  /** An action id, or what it begins with where it ends in a dot. */
  readonly action: string
  readonly needs: Needs
  handle(
    interaction: Interaction,
    action: ActionPayload,
    place: { readonly responseUrl: string | undefined; readonly message: string },
  ): Promise<Answer | undefined>
}

export interface SubmissionRoute {
  /** The view's callback id. */
  readonly view: string
  readonly needs: Needs
  /** Answers the acknowledgement itself, within 2 s. */
  handle(
    interaction: Interaction,
    view: ViewPayload,
    ack: (answer?: ViewResponseAction) => Promise<void>,
  ): Promise<void>
}

export interface Option {
  readonly text: { readonly type: 'plain_text'; readonly text: string }
  readonly value: string
}

export interface OptionsRoute {
  readonly action: string
  readonly needs: Needs
  handle(interaction: Interaction, typed: string): Promise<readonly Option[]>
}

export interface Routes {
  readonly commands: readonly CommandRoute[]
  readonly actions: readonly ActionRoute[]
  readonly submissions: readonly SubmissionRoute[]
  readonly options: readonly OptionsRoute[]
}

export interface RouterDeps {
  readonly guards: Guards
  readonly replies: Replies
  readonly latestClick: LatestClick
  readonly log: Log
  readonly requestIds: RequestIds
  /** Reads the tenant and channel that a view of this app was opened in. */
  readonly viewOrigin: (view: ViewPayload) => { tenant: Tenant; channel: string }
}

const longName = 'callboard'

/** Which tenant a payload's `team`, `enterprise` and `user` speak of. */
function tenantOf(payload: {
  team?: { id: string; enterprise_id?: string | null | undefined } | null | undefined
  enterprise?: { id: string } | null | undefined
  user: { team_id?: string | null | undefined }
}): Tenant {
  const teamId = payload.team?.id ?? payload.user.team_id ?? ''
  return { enterpriseId: payload.enterprise?.id ?? payload.team?.enterprise_id ?? undefined, teamId }
}

function parse<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new ForgedValueError(what, { cause: parsed.error })
  return parsed.data
}

/** Registers the routes with Bolt: one listener for each kind of payload, since every listener costs on every request. */
export function registerRoutes(app: App, routes: Routes, deps: RouterDeps): void {
  const { guards, replies, latestClick, log, requestIds } = deps

  async function run(
    name: string,
    work: (reference: string, note: (outcome: Outcome) => void) => Promise<void>,
  ) {
    const reference = randomUUID().slice(0, 8)
    await requestIds.run(reference, async () => {
      const start = performance.now()
      let outcome: Outcome = 'ok'
      try {
        await work(reference, (noted) => {
          outcome = noted
        })
      } catch (error) {
        // The answer itself could not be given: nobody is left to tell but the log.
        outcome = 'error'
        log.error({ err: error, interaction: name }, 'an interaction failed')
      }
      log.info({ interaction: name, outcome, ms: Math.round(performance.now() - start) }, 'interaction')
    })
  }

  function fail(error: unknown, given: ApologyContext, note: (outcome: Outcome) => void): Answer {
    const { outcome, message } = apologize(error, given)
    note(outcome)
    if (outcome === 'error') log.error({ err: error }, 'unexpected')
    else log.info({ outcome, cause: error instanceof Error ? error.message : 'unknown' }, 'refused')
    return { message }
  }

  app.command(/^\//, async ({ body, ack }) => {
    const payload = parse(commandPayload, body, 'command')
    const spoken = splitWords(payload.text)
    const own = payload.command.slice(1)
    const [command = 'help', ...words] =
      own === longName ? [spoken[0]?.value.toLowerCase() ?? 'help', ...spoken.slice(1)] : [own, ...spoken]
    const name = typeof command === 'string' ? command : longName
    const args = words.filter((word) => typeof word !== 'string')
    const route = findCommand(routes.commands, name, args) ?? findCommand(routes.commands, longName, [])
    const tenant: Tenant = { enterpriseId: payload.enterprise_id, teamId: payload.team_id }
    await run(`/${name} ${route?.word ?? ''}`.trim(), async (reference, note) => {
      let isAdmin = false
      let retry: ApologyContext['retry']
      const work = async () => {
        if (!route) return undefined
        try {
          const visitor = await guards.admit(tenant, payload.user_id, route.needs)
          isAdmin = visitor.person.isAdmin
          const interaction = {
            visitor,
            tenant: tenantKey(tenant),
            channel: payload.channel_id,
            triggerId: payload.trigger_id,
            offerRetry: (offered: ApologyContext['retry']) => {
              retry = offered
            },
          }
          return await route.handle(interaction, route.word === undefined ? args : args.slice(1))
        } catch (error) {
          return fail(error, { reference, isAdmin, retry }, note)
        }
      }
      await replies.command(work(), {
        tenant: tenantKey(tenant),
        responseUrl: payload.response_url,
        ack: (message) => (message === undefined ? ack() : ack(message)),
      })
    })
  })

  app.action(/.*/, async ({ body, ack }) => {
    await ack()
    const payload = parse(blockActionsPayload, body, 'action')
    const [action] = payload.actions
    const route = routes.actions.find((one) => matches(one.action, action.action_id))
    // A link button and a menu inside a modal send their clicks too: acknowledged, and nothing more.
    if (!route) return
    await run(route.action, async (reference, note) => {
      const origin = payload.view ? deps.viewOrigin(payload.view) : undefined
      const tenant = origin?.tenant ?? tenantOf(payload)
      const key = tenantKey(tenant)
      const channel = origin?.channel ?? payload.channel?.id ?? payload.container?.channel_id ?? ''
      const responseUrl = payload.response_url
      const produce = async () => {
        let isAdmin = false
        let retry: ApologyContext['retry']
        const offerRetry = (offered: ApologyContext['retry']) => {
          retry = offered
        }
        try {
          const visitor = await guards.admit(tenant, payload.user.id, route.needs)
          isAdmin = visitor.person.isAdmin
          return await route.handle(
            { visitor, tenant: key, channel, triggerId: payload.trigger_id, offerRetry },
            action,
            { responseUrl, message: payload.container?.message_ts ?? '' },
          )
        } catch (error) {
          return fail(error, { reference, isAdmin, retry }, note)
        }
      }
      const click = {
        tenant: key,
        channel,
        message: payload.container?.message_ts ?? '',
        user: payload.user.id,
        actionTs: action.action_ts,
      }
      await latestClick.answer(click, async () => {
        const answer = await produce()
        if (!answer || responseUrl === undefined) return undefined
        return () => replies.replace(answer, { responseUrl, tenant: key })
      })
    })
  })

  app.view(/.*/, async ({ body, ack }) => {
    const payload = parse(viewSubmissionPayload, body, 'view')
    const route = routes.submissions.find(({ view }) => view === payload.view.callback_id)
    if (!route) {
      await ack()
      return
    }
    await run(`view ${route.view}`, async (reference, note) => {
      let isAcknowledged = false
      const answer = async (body?: ViewResponseAction) => {
        isAcknowledged = true
        await (body === undefined ? ack() : ack(body))
      }
      try {
        // A view's payload may name another workspace than the one that it was opened in.
        const { tenant, channel } = deps.viewOrigin(payload.view)
        const visitor = await guards.admit(tenant, payload.user.id, route.needs)
        await route.handle(
          { visitor, tenant: tenantKey(tenant), channel, triggerId: '', offerRetry: () => {} },
          payload.view,
          answer,
        )
      } catch (error) {
        const { message } = fail(error, { reference, isAdmin: false }, note)
        if (!isAcknowledged) await answer({ response_action: 'update', view: apologyView(message.text) })
      }
    })
  })

  app.options(/.*/, async ({ body, ack }) => {
    const payload = parse(suggestionPayload, body, 'options')
    const route = routes.options.find((one) => matches(one.action, payload.action_id))
    await run(`options ${route?.action ?? ''}`, async (reference, note) => {
      let options: readonly Option[] = []
      try {
        const origin = payload.view ? deps.viewOrigin(payload.view) : undefined
        const tenant = origin?.tenant ?? tenantOf(payload)
        if (route) {
          const visitor = await guards.admit(tenant, payload.user.id, route.needs)
          const interaction = {
            visitor,
            tenant: tenantKey(tenant),
            channel: origin?.channel ?? '',
            triggerId: '',
            offerRetry: () => {},
          }
          options = await route.handle(interaction, payload.value)
        }
      } catch (error) {
        // A menu has no place for an apology: it stays empty.
        fail(error, { reference, isAdmin: false }, note)
      }
      await ack({ options: options.map(({ text, value }) => ({ text, value })) })
    })
  })
}

const matches = (pattern: string, id: string) =>
  pattern.endsWith('.') ? id.startsWith(pattern) : id === pattern

function findCommand(
  routes: readonly CommandRoute[],
  command: string,
  words: readonly Word[],
): CommandRoute | undefined {
  const own = routes.filter((route) => route.command === command)
  const first = words[0]?.key === undefined ? words[0]?.value.toLowerCase() : undefined
  return (
    own.find(({ word }) => word !== undefined && word === first) ?? own.find(({ word }) => word === undefined)
  )
}

function apologyView(text: string): types.ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Callboard' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
  }
}
