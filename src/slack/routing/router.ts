import type { App, ViewResponseAction } from '@slack/bolt'
import { type Tenant, tenantKey } from '../../store/tenant.ts'
import type { Guards, Needs } from '../access/guards.ts'
import { type Modals, noticeModal } from '../answers/modals.ts'
import type { Replies } from '../answers/replies.ts'
import type { AnswerSubmission } from '../answers/submissions.ts'
import type { Answer, Tables } from '../answers/table-support.ts'
import { createTellInView } from '../answers/view-replies.ts'
import {
  blockActionsPayload,
  commandPayload,
  parsePayload,
  suggestionPayload,
  type ViewPayload,
  viewSubmissionPayload,
} from '../inbound/payloads.ts'
import type { AnswerClick } from './click-answers.ts'
import { readCommand } from './commands.ts'
import { registerEvents } from './events.ts'
import type { Origin, Visit, Visits } from './interactions.ts'
import type { Interaction, Modal, Option, Routes } from './routes.ts'

export interface RouterDeps {
  readonly visits: Visits
  readonly guards: Guards
  readonly modals: Modals
  readonly tables: Tables
  readonly replies: Replies
  readonly answerClick: AnswerClick
  readonly answerSubmission: AnswerSubmission
  /** Reads the tenant and channel that a view of this app was opened in: its payload may name another workspace. */
  readonly viewOrigin: (view: ViewPayload) => { tenant: Tenant; channel: string }
}

/** Which tenant a payload's `team`, `enterprise` and `user` speak of. */
function tenantOf(payload: {
  team?: { id: string; enterprise_id?: string | null | undefined } | null | undefined
  enterprise?: { id: string } | null | undefined
  user: { team_id?: string | null | undefined }
}): Tenant {
  const teamId = payload.team?.id ?? payload.user.team_id ?? ''
  return { enterpriseId: payload.enterprise?.id ?? payload.team?.enterprise_id ?? undefined, teamId }
}

const matches = (pattern: string, id: string) =>
  pattern.endsWith('.') ? id.startsWith(pattern) : id === pattern

/** Registers the routes with Bolt: one listener for each kind of payload, since every listener costs on every request. */
export function registerRoutes(app: App, routes: Routes, deps: RouterDeps): void {
  const { visits, guards, modals, tables, replies, answerClick, answerSubmission, viewOrigin } = deps
  const tellInView = createTellInView({ guards, modals })

  type Handlers = {
    answer: ((interaction: Interaction) => Promise<Answer | undefined>) | undefined
    modal: ((interaction: Interaction) => Promise<Modal>) | undefined
  }

  /** Lets the person in and hands over: to a handler that answers, or to one that opens a modal. */
  async function serve(
    visit: Visit,
    origin: Origin & { triggerId: string },
    needs: Needs,
    { answer, modal }: Handlers,
  ): Promise<Answer | undefined> {
    if (answer) return answer(await visit.admit(origin, needs))
    if (!modal) return undefined
    const view = visit
      .admit(origin, needs)
      .then(modal)
      .then((opened) => opened.modal)
    const installation = () => guards.installation(origin.tenant)
    const sorry = (error: unknown) => visit.apologize(error).message.text
    await modals.open({ installation, triggerId: origin.triggerId }, view, sorry)
    return undefined
  }

  app.command(/^\//, async ({ body, ack }) => {
    const payload = parsePayload(commandPayload, body, 'command')
    const { name, route, words } = readCommand(payload, routes.commands)
    const tenant: Tenant = { enterpriseId: payload.enterprise_id, teamId: payload.team_id }
    const { user_id: userId, channel_id: channel, trigger_id: triggerId } = payload
    await visits.run(name, async (visit) => {
      const handlers: Handlers = {
        answer: route?.handle && ((interaction) => route.handle(interaction, words)),
        modal: route?.openModal && ((interaction) => route.openModal(interaction, words)),
      }
      const needs = route?.needs ?? 'member'
      const work = visit.orApology(() =>
        serve(visit, { tenant, userId, channel, triggerId }, needs, handlers),
      )
      const prepared = work.then((answer) => answer && tables.prepare(answer, tenantKey(tenant)))
      const ready = prepared.catch((error: unknown) =>
        tables.prepare(visit.apologize(error), tenantKey(tenant)),
      )
      await replies.command(ready, {
        responseUrl: payload.response_url,
        ack: (message) => (message === undefined ? ack() : ack(message)),
      })
    })
  })

  app.action(/.*/, async ({ body, ack }) => {
    await ack()
    const payload = parsePayload(blockActionsPayload, body, 'action')
    const [action] = payload.actions
    const route = routes.actions.find((one) => matches(one.action, action.action_id))
    // A link button and a menu inside a modal send their clicks too: acknowledged, and nothing more.
    if (!route) return
    await visits.run(route.action, async (visit) => {
      const opened = payload.view ? viewOrigin(payload.view) : undefined
      const tenant = opened?.tenant ?? tenantOf(payload)
      const channel = opened?.channel ?? payload.channel?.id ?? payload.container?.channel_id ?? ''
      const user = payload.user.id
      const place = {
        responseUrl: payload.response_url,
        message: payload.container?.message_ts ?? '',
        actionTs: action.action_ts,
        viewId: payload.view?.id,
      }
      const handlers: Handlers = {
        answer: route.handle && ((interaction) => route.handle(interaction, action, place)),
        modal: route.openModal && ((interaction) => route.openModal(interaction, action, place)),
      }
      const origin = { tenant, userId: user, channel, triggerId: payload.trigger_id }
      if (payload.view) {
        const answer = visit.orApology(() => serve(visit, origin, route.needs, handlers))
        await tellInView(payload.view, origin, answer, { isCertain: route.handle !== undefined })
        return
      }
      await answerClick(visit, { ...place, tenant: tenantKey(tenant), channel, user }, () =>
        serve(visit, origin, route.needs, handlers),
      )
    })
  })

  app.view(/.*/, async ({ body, ack }) => {
    const payload = parsePayload(viewSubmissionPayload, body, 'view')
    const route = routes.submissions.find(({ view }) => view === payload.view.callback_id)
    if (!route) {
      await ack()
      return
    }
    await visits.run(`view ${route.view}`, async (visit) => {
      let isAcknowledged = false
      const acknowledge = async (answer?: ViewResponseAction) => {
        isAcknowledged = true
        await (answer === undefined ? ack() : ack(answer))
      }
      const { tenant, channel } = viewOrigin(payload.view)
      const user = payload.user.id
      try {
        const interaction = await visit.admit({ tenant, userId: user, channel }, route.needs)
        await route.handle(interaction, payload.view, {
          ack: acknowledge,
          slowly: (slow) =>
            answerSubmission(
              { ack: acknowledge, installation: interaction.visitor.installation, viewId: payload.view.id },
              slow,
            ),
          answer: (place, produce) =>
            answerClick(visit, { ...place, tenant: tenantKey(tenant), channel, user }, produce),
        })
      } catch (error) {
        // Later than the acknowledgement, whatever the handler had to say goes through `answer`.
        if (isAcknowledged) throw error
        const view = noticeModal(visit.apologize(error).message.text)
        await acknowledge({ response_action: 'update', view })
      }
    })
  })

  registerEvents(app, routes.events, visits)

  app.options(/.*/, async ({ body, ack }) => {
    const payload = parsePayload(suggestionPayload, body, 'options')
    const route = routes.options.find((one) => matches(one.action, payload.action_id))
    await visits.run(`options ${route?.action ?? ''}`, async (visit) => {
      let options: readonly Option[] = []
      try {
        const opened = payload.view ? viewOrigin(payload.view) : undefined
        const tenant = opened?.tenant ?? tenantOf(payload)
        const origin = { tenant, userId: payload.user.id, channel: opened?.channel ?? '' }
        if (route) options = await route.handle(await visit.admit(origin, route.needs), payload.value)
      } catch (error) {
        // A menu has no place for an apology: it stays empty.
        visit.apologize(error)
      }
      await ack({ options: options.map(({ text, value }) => ({ text, value })) })
    })
  })
}
