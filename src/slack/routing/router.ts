import {
  type AnyMiddlewareArgs,
  App,
  type Receiver,
  type SlackViewMiddlewareArgs,
  type types,
  type ViewResponseAction,
  type ViewSubmitAction,
} from '@slack/bolt'
import { type Log, slackLogger } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { SlackUnavailableError, TokenRefusedError } from '../api/web-api.ts'
import { ForgedValueError, readOrigin } from '../blocks/action.ts'
import type { Option } from '../blocks/blocks.ts'
import { type Modals, noticeModal, waitingText } from '../deliver/modals.ts'
import type { Answer, ClickPlace, MakeAnswer, Replies } from '../deliver/replies.ts'
import {
  type BlockActionsPayload,
  blockActionsPayloadSchema,
  commandPayloadSchema,
  eventPayloadSchema,
  type Origin,
  parsePayload,
  readClickOrigin,
  readShortcutOrigin,
  readSuggestionOrigin,
  responseUrlSchema,
  shortcutPayloadSchema,
  suggestionPayloadSchema,
  type ViewPayload,
  viewSubmissionPayloadSchema,
} from '../inbound/payloads.ts'
import type { InteractionRun, Interactions } from './interactions.ts'
import { type Routes, RouteTable, type SubmissionResult } from './routes.ts'

/** Slack waits 3 s for the acknowledgement of a submission. */
const SUBMISSION_TIMEOUT_MS: Milliseconds = 2000

interface RouterServices {
  readonly interactions: Interactions
  readonly replies: Replies
  readonly modals: Modals
}

interface Received<Response = never> {
  readonly body: unknown
  ack(response?: Response): Promise<void>
}

/**
 * Connects the receiver to the routes through Bolt, with one middleware for all payloads, since each listener costs time
 * on every request.
 * @throws if two routes have the same id
 */
export function connectRoutes(
  receiver: Receiver,
  routes: Routes,
  { log, ...services }: RouterServices & { readonly log: Log },
): void {
  const router = new Router(routes, services)
  const app = new App({
    receiver,
    convoStore: false,
    ignoreSelf: false,
    logger: slackLogger(log),
    // Looks nothing up: the guards look up the installation, because they can answer the person.
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    log.error({ err: error }, 'a listener failed')
  })
  app.use(async (payload) => {
    if ('command' in payload) return router.command(payload)
    if ('action' in payload && payload.body.type === 'block_actions') return router.action(payload)
    if ('shortcut' in payload && payload.body.type === 'message_action') return router.shortcut(payload)
    if ('event' in payload) return router.event(payload)
    if (isSubmission(payload)) return router.submission(payload)
    return payload.next()
  })
  app.options(/.*/, (payload) => router.options(payload))
}

const isSubmission = (args: AnyMiddlewareArgs): args is SlackViewMiddlewareArgs<ViewSubmitAction> =>
  'view' in args && args.body.type === 'view_submission'

const toUpdate = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

/** Handles what arrives from Slack, with one method for each type of payload. */
class Router {
  readonly #routes: RouteTable
  readonly #services: RouterServices

  constructor(routes: Routes, services: RouterServices) {
    this.#routes = new RouteTable(routes)
    this.#services = services
  }

  command({ body, ack }: Received<string>): Promise<void> {
    return this.#run('command', body, async (run) => {
      const payload = parsePayload(commandPayloadSchema, body, 'command')
      const { name, route } = this.#routes.command(payload)
      run.name = name
      const { channel_id: channel, channel_name: channelName, trigger_id: triggerId } = payload
      const team = { enterpriseId: payload.enterprise_id, teamId: payload.team_id }
      const origin = { team, userId: payload.user_id, channel, channelName, triggerId }
      const to = { team, responseUrl: payload.response_url, ack }
      await this.#services.replies.command(run.runRoute(route, origin), to)
    })
  }

  /** Clicks on buttons and choices in menus, in messages and in views. */
  action({ body, ack }: Received): Promise<void> {
    return this.#run('click', body, async (run) => {
      await ack()
      const payload = parsePayload(blockActionsPayloadSchema, body, 'click')
      const place = getClickPlace(payload)
      const { name, route, replacesOriginal } = this.#routes.action(payload, place)
      run.name = name
      const origin = readClickOrigin(payload)
      const makeAnswer = run.runRoute(route, origin)
      if (payload.view) {
        const willAnswer = route.handle !== undefined && payload.view.type === 'home'
        return this.#services.modals.answer(run.modalTarget(origin), makeAnswer, willAnswer)
      }
      // The handler's answer would not be seen.
      if (route.handle && place.responseUrl === undefined)
        throw new ForgedValueError('a click without a response_url')
      await this.#answerClick(run, origin, { place, replacesOriginal }, makeAnswer)
    })
  }

  /** A message's shortcut is answered in a modal, because the message isn't ours. */
  shortcut({ body, ack }: Received): Promise<void> {
    return this.#run('shortcut', body, async (run) => {
      await ack()
      const payload = parsePayload(shortcutPayloadSchema, body, 'shortcut')
      const { name, route } = this.#routes.shortcut(payload)
      run.name = name
      const origin = readShortcutOrigin(payload)
      await this.#services.modals.answer(run.modalTarget(origin), run.runRoute(route, origin), false)
    })
  }

  submission({ body, ack }: Received<ViewResponseAction>): Promise<void> {
    const work = async (run: InteractionRun) => {
      const { user, view } = parsePayload(viewSubmissionPayloadSchema, body, 'submission')
      const { name, route } = this.#routes.submission(view.callback_id)
      run.name = name
      const origin: Origin = { ...readOrigin(view), userId: user.id }
      const title = view.title?.text ?? 'Callboard'
      const waitingModal = noticeModal(route.waiting ?? waitingText, { title })
      const working = run
        .admit(origin, route.needs)
        .then((interaction) => route.handle(interaction, view))
        .catch((error): SubmissionResult => {
          return { view: noticeModal(run.apologize(error).message.text, { title }) }
        })
      const isLate = (await withTimeout(working, SUBMISSION_TIMEOUT_MS)) === timedOut
      if (isLate) await ack(toUpdate(waitingModal))
      const result = await working
      const onMessage = 'view' in result ? result.beside : 'place' in result ? result : undefined
      const makeAnswer = run.catchErrors(async () => onMessage?.answer())
      const isAnswerable = onMessage !== undefined && this.#services.replies.isAnswerable(onMessage.place)
      if ('place' in result && result.place.responseUrl === undefined) {
        // The modal was opened where there is no message: the answer replaces the form.
        if (!isLate) await ack(toUpdate(waitingModal))
        return this.#services.modals.answer(
          { ...run.modalTarget(origin), modalId: view.id },
          makeAnswer,
          true,
        )
      }
      const shown = 'place' in result && !isAnswerable ? toExpired(view) : result
      if (!isLate) await ack(toAcknowledgement(shown))
      else
        await this.#services.modals.tryUpdate(
          await run.installation(origin.team),
          view.id,
          toView(shown, title),
        )
      if (isAnswerable) await this.#answerClick(run, origin, onMessage, makeAnswer)
    }
    return this.#run('submission', body, work, ({ message }) => ack(toUpdate(noticeModal(message.text))))
  }

  /** Options of a menu that asks the app for them while a person types. It can't show an error, so it stays empty. */
  options({ body, ack }: Received<{ readonly options: Option[] }>): Promise<void> {
    return this.#services.interactions.run('menu', async (run) => {
      let options: readonly Option[] = []
      try {
        const payload = parsePayload(suggestionPayloadSchema, body, 'menu')
        const { name, route } = this.#routes.options(payload.action_id)
        run.name = name
        const interaction = await run.admit(readSuggestionOrigin(payload), route.needs)
        options = await route.handle(interaction, payload.value)
      } catch (error) {
        run.apologize(error)
      }
      await ack({ options: [...options] })
    })
  }

  /** Every feature that subscribed to the event receives it, even if another one fails. */
  async event({ body }: Pick<Received, 'body'>): Promise<void> {
    const event = parsePayload(eventPayloadSchema, body, 'event')
    const routes = this.#routes.events(event.event.type)
    await Promise.all(
      routes.map((route) =>
        this.#services.interactions.run(`event ${route.event}`, () => route.handle(event)),
      ),
    )
  }

  /**
   * Apologizes for errors before the delivery; errors of the delivery itself are only logged.
   * @param refuse by default, the apology comes below the message, which stays
   */
  #run(
    type: string,
    body: unknown,
    work: (run: InteractionRun) => Promise<void>,
    refuse?: (apology: Answer) => Promise<void>,
  ): Promise<void> {
    return this.#services.interactions.run(type, async (run) => {
      try {
        await work(run)
      } catch (error) {
        if (error instanceof SlackUnavailableError || error instanceof TokenRefusedError) throw error
        const apology = run.apologize(error)
        if (refuse) return refuse(apology)
        const { data } = responseUrlSchema.safeParse(body)
        if (data) await this.#services.replies.refuse(apology, data.response_url)
      }
    })
  }

  async #answerClick(
    run: InteractionRun,
    { team, channel, userId: user }: Origin,
    to: { readonly place: ClickPlace; readonly replacesOriginal?: boolean | undefined },
    makeAnswer: MakeAnswer,
  ): Promise<void> {
    const click = { ...to.place, team, tenant: tenantKey(team), channel, user }
    const { replacesOriginal = true } = to
    const isNewest = await this.#services.replies.click(click, makeAnswer, { replacesOriginal })
    if (!isNewest && run.outcome === 'ok') run.outcome = 'superseded'
  }
}

const getClickPlace = (payload: BlockActionsPayload): ClickPlace => ({
  responseUrl: payload.response_url,
  message: payload.container?.message_ts ?? '',
  actionTs: payload.actions[0].action_ts,
  viewId: payload.view?.id,
})

/** An error below the first field, because Slack would no longer show the answer on the message. */
const toExpired = ({ state }: ViewPayload): SubmissionResult => ({
  errors: {
    [Object.keys(state?.values ?? {})[0] ?? '']: 'This form has expired. Close it and open it again.',
  },
})

function toAcknowledgement(result: SubmissionResult): ViewResponseAction | undefined {
  if ('errors' in result) return { response_action: 'errors', errors: { ...result.errors } }
  return 'view' in result ? toUpdate(result.view) : undefined
}

/** Replaces the placeholder, which has no inputs that errors could be shown below. */
function toView(result: SubmissionResult, title: string): types.ModalView {
  if ('view' in result) return result.view
  const text =
    'errors' in result
      ? Object.values(result.errors).join('\n')
      : 'Done. The answer is where you opened this.'
  return noticeModal(text, { title })
}
