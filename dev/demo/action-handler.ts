import { escapeCommandText, wrapLinks } from '../slack/command-text.ts'
import type { Channel, Exchange, Slack, User, View } from '../slack/slack.ts'
import type { Action, ActionResult } from './api-types.ts'
import { splitCommand, type TypedCommand } from './command-text.ts'
import type { Controls } from './controls.ts'
import type { TourProgress } from './tour-progress.ts'
import type { TrafficLog } from './traffic.ts'
import { slackbot, type UserMessages } from './user-messages.ts'
import { type DemoParts, type DemoWorkspace, personIn } from './workspaces.ts'

/** What Slack tells a person whose click or modal came to nothing. */
function problemOf({ timedOut, error }: Exchange): string | undefined {
  if (timedOut) return 'Callboard took longer than 3 seconds to answer.'
  return error === undefined ? undefined : `Callboard's answer was no use to Slack (${error}).`
}

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>

const GONE = 'that is not there any more'

/** Does what a person did on the page, as Slack would pass it on. */
export class ActionHandler {
  readonly #demo: DemoParts
  readonly #slack: Slack
  readonly #userMessages: UserMessages
  readonly #traffic: TrafficLog
  readonly #progress: TourProgress
  readonly #controls: Controls

  constructor(
    demo: DemoParts,
    parts: {
      readonly userMessages: UserMessages
      readonly traffic: TrafficLog
      readonly progress: TourProgress
      readonly controls: Controls
    },
  ) {
    this.#demo = demo
    this.#slack = demo.slack
    this.#userMessages = parts.userMessages
    this.#traffic = parts.traffic
    this.#progress = parts.progress
    this.#controls = parts.controls
  }

  /** @throws Error where there is no such person, channel, message or view */
  async handle(action: Action): Promise<ActionResult> {
    const person = personIn(this.#demo.workspaces, action.user)
    if (!person) throw new Error('there is nobody with that id')
    const { user, workspace } = person
    try {
      switch (action.kind) {
        case 'write':
          return await this.#write(workspace, user, action)
        case 'home':
          return await this.#openHome(workspace, user)
        case 'close':
          return await this.#close(action, user)
        case 'submit':
          return await this.#submit(workspace, user, action)
        case 'suggest':
          return await this.#suggest(action, user)
        case 'act':
          return await this.#click(action, user)
        case 'shortcut':
          return await this.#chooseShortcut(workspace, user, action)
        case 'service':
        case 'missed':
        case 'clock':
          return await this.#controls.use(action, workspace)
      }
    } finally {
      this.#slack.changes.emit('change')
    }
  }

  async #write(workspace: DemoWorkspace, user: User, { channel: id, text }: ActionOf<'write'>) {
    const channel = workspace.channels.find((one) => one.channel.id === id)?.channel
    if (!channel) throw new Error('there is no such channel')
    const typed = splitCommand(text)
    if (!typed) this.#userMessages.add({ channel: id, author: user.id, onlyFor: undefined, text })
    const reply = typed && (await this.#runCommand(workspace, user, channel, typed))
    if (reply !== undefined)
      this.#userMessages.add({ channel: id, author: slackbot, onlyFor: user.id, text: reply })
    return {}
  }

  /** What Slackbot says to it. */
  async #runCommand(
    { team, people, channels }: DemoWorkspace,
    user: User,
    channel: Channel,
    { command, text, whole }: TypedCommand,
  ): Promise<string | undefined> {
    if (command === '/invite') {
      if (text.trim().toLowerCase() !== '@callboard') return 'Only @Callboard can be invited in this demo.'
      channel.isMember = true
      return `Callboard is in #${channel.name} now.`
    }
    const commands = this.#demo.manifest.commands.map((one) => one.command)
    if (team.isInstalled !== true)
      return `${command} is not a valid command. Callboard is not installed in this workspace.`
    if (!commands.includes(command))
      return `${command} is not a valid command. This workspace has ${commands.join(' and ')}.`
    const escaped = escapeCommandText(text, {
      channels: channels.map((one) => one.channel),
      people: people.map((one) => one.user),
    })
    const { error } = await this.#traffic.record(whole, () =>
      this.#slack.command(this.#demo.appUrl, { command, text: escaped, user, channel }),
    )
    this.#progress.addCommand(whole, user)
    return error === undefined ? undefined : `${command} failed with the error "${error}".`
  }

  async #openHome({ team }: DemoWorkspace, user: User): Promise<ActionResult> {
    const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel: `D${user.id.slice(1)}` }
    await this.#slack.event(this.#demo.appUrl, event, { team })
    return {}
  }

  async #close(action: ActionOf<'close'>, user: User): Promise<ActionResult> {
    const view = this.#slack.view(action.view)
    if (view) this.#slack.closeView({ view, user })
    return {}
  }

  async #submit(
    { team }: DemoWorkspace,
    user: User,
    { view: id, values }: ActionOf<'submit'>,
  ): Promise<ActionResult> {
    const view = this.#view(id)
    const exchange = await this.#traffic.record(`Submits ${view.title?.text ?? 'a modal'}`, () =>
      this.#slack.submit(this.#demo.appUrl, { view, values, user }),
    )
    const { result } = exchange
    if (result?.action === 'errors') return { errors: result.errors }
    const isSecond = team !== this.#demo.workspaces[0].team
    if (result?.action !== 'failed') this.#progress.addAct(view.callback_id)
    if (isSecond && view.callback_id === 'setup.connect' && result?.action === 'updated')
      this.#progress.add('company')
    return result?.action === 'failed' ? { problem: problemOf(exchange) ?? result.reason } : {}
  }

  async #suggest(action: ActionOf<'suggest'>, user: User): Promise<ActionResult> {
    const input = { ...this.#element(action), user, value: action.value }
    const exchange = await this.#slack.suggest(this.#demo.appUrl, input)
    return { options: exchange.options, problem: problemOf(exchange) }
  }

  async #click(action: ActionOf<'act'>, user: User): Promise<ActionResult> {
    const { actionId, choose, values } = action
    const input = {
      ...this.#element(action),
      user,
      ...(choose === undefined ? {} : { choose }),
      ...(values === undefined ? {} : { values }),
    }
    const exchange = await this.#traffic.record(`Clicks ${actionId}`, () =>
      this.#slack.click(this.#demo.appUrl, input),
    )
    this.#progress.addAct(actionId)
    return { problem: problemOf(exchange) }
  }

  async #chooseShortcut(
    { channels }: DemoWorkspace,
    user: User,
    { message: ts, callbackId }: ActionOf<'shortcut'>,
  ): Promise<ActionResult> {
    const written = this.#userMessages.all.find((one) => one.ts === ts)
    const channel = channels.find((one) => one.channel.id === written?.channel)?.channel
    const { text = '', author } = written ?? {}
    const message = channel ? { text: wrapLinks(text), ts, user: author, channel } : this.#slack.message(ts)
    if (!message) throw new Error(GONE)
    const exchange = await this.#traffic.record(`Chooses ${callbackId}`, () =>
      this.#slack.shortcut(this.#demo.appUrl, { callback_id: callbackId, message, user }),
    )
    this.#progress.add('number')
    return { problem: problemOf(exchange) }
  }

  /** Where it is, too: in a message as it was when it showed this, since somebody else may have changed it meanwhile. */
  #element({ at, actionId, blockId }: Pick<ActionOf<'act'>, 'at' | 'actionId' | 'blockId'>) {
    const ids = { action_id: actionId, block_id: blockId }
    if ('view' in at) return { view: this.#view(at.view), ...ids }
    const message = this.#slack.messageWith(at.message, actionId, blockId)
    if (message) return { message, ...ids }
    throw new Error(GONE)
  }

  #view(id: string): View {
    const view = this.#slack.view(id)
    if (view) return view
    throw new Error(GONE)
  }
}
