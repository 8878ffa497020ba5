import { escapeCommandText, wrapLinks } from '../slack/actions/command-text.ts'
import type { Exchange, Slack, User, View } from '../slack/slack.ts'
import type { Action, ActionResult } from './api-types.ts'
import type { DemoParts } from './parts.ts'
import { slackbot } from './user-messages.ts'
import { type DemoWorkspace, personIn } from './workspaces.ts'

/** Returns Slack's error for a click or a modal without a usable answer. */
function describeProblem({ timedOut, error }: Exchange): string | undefined {
  if (timedOut) return 'Callboard took longer than 3 seconds to answer.'
  return error === undefined ? undefined : `Slack couldn't use Callboard's answer (${error}).`
}

/** Splits `/calls missed` into its command, in lower case, and the rest; undefined for what is no command. */
function splitCommand(typed: string) {
  const [whole, command, text = ''] = /^(\/\S+)(?:\s+([\s\S]*))?$/.exec(typed.trim()) ?? []
  return whole && command ? { command: command.toLowerCase(), text, whole } : undefined
}

type ActionWith<K extends Action['kind']> = Extract<Action, { kind: K }>

function there<T>(what: T | undefined): T {
  if (what === undefined) throw new Error("That doesn't exist any more.")
  return what
}

/** Passes actions on the page to the app like Slack. */
export class ActionHandler {
  readonly #demo: DemoParts
  readonly #slack: Slack

  constructor(demo: DemoParts) {
    this.#demo = demo
    this.#slack = demo.slack
  }

  /** @throws {Error} if the person, channel, message or view doesn't exist */
  async handle(action: Action): Promise<ActionResult> {
    const { user, workspace } = there(personIn(this.#demo.workspaces, action.user))
    try {
      return await this.#act(action, user, workspace)
    } finally {
      this.#slack.changes.emit('change')
    }
  }

  async #write({ channels, team, people }: DemoWorkspace, user: User, action: ActionWith<'write'>) {
    const { channel: id, text } = action
    const { channel } = there(channels.find((one) => one.channel.id === id))
    const typed = splitCommand(text)
    const say = (author: string, words: string, onlyFor?: string) =>
      this.#demo.userMessages.add({ channel: id, author, onlyFor, text: words })
    const answer = (words: string) => say(slackbot, words, user.id)
    if (!typed) return say(user.id, text)
    const { command, whole } = typed
    if (command === '/invite') {
      if (typed.text.trim().toLowerCase() !== '@callboard')
        return answer('Only @Callboard can be invited in this demo.')
      channel.isMember = true
      return answer(`Callboard is in #${channel.name} now.`)
    }
    const commands = this.#demo.manifest.commands.map((one) => one.command)
    if (!team.isInstalled)
      return answer(`${command} is not a valid command. Callboard is not installed in this workspace.`)
    if (!commands.includes(command))
      return answer(
        `${command} is not a valid command. This workspace has ${new Intl.ListFormat('en-GB').format(commands)}.`,
      )
    const escaped = escapeCommandText(typed.text, {
      channels: channels.map((one) => one.channel),
      people: people.map((one) => one.user),
    })
    const { error } = await this.#demo.traffic.record(whole, () =>
      this.#slack.command(this.#slack.appUrl, { command, text: escaped, user, channel }),
    )
    if (error !== undefined) answer(`${command} failed with the error "${error}".`)
  }

  async #submit(user: User, { view: id, values }: ActionWith<'submit'>) {
    const view = there(this.#slack.view(id))
    const exchange = await this.#demo.traffic.record(`Submits ${view.title?.text ?? 'a modal'}`, () =>
      this.#slack.submit(this.#slack.appUrl, { view, values, user }),
    )
    const { result } = exchange
    if (result?.action === 'errors') return { errors: result.errors }
    if (result?.action === 'failed') return { problem: describeProblem(exchange) ?? result.reason }
    return {}
  }

  async #click(action: ActionWith<'act'>, user: User) {
    const { actionId, choose, values } = action
    const input = {
      ...this.#findElement(action),
      user,
      ...(choose !== undefined && { choose }),
      ...(values !== undefined && { values }),
    }
    const exchange = await this.#demo.traffic.record(`Clicks ${actionId}`, () =>
      this.#slack.click(this.#slack.appUrl, input),
    )
    return { problem: describeProblem(exchange) }
  }

  async #callTool(user: User, { tool, args }: ActionWith<'tool'>): Promise<ActionResult> {
    let answer: ActionResult['answer']
    await this.#demo.traffic.record(`Slackbot calls ${tool}`, async () => {
      const called = await this.#slack.slackbot.call(this.#slack.appUrl, { user, tool, args })
      answer = called.answer
      return called.exchange
    })
    return answer ? { answer } : {}
  }

  async #chooseShortcut({ channels }: DemoWorkspace, user: User, action: ActionWith<'shortcut'>) {
    const { message: ts, callbackId } = action
    const written = this.#demo.userMessages.all.find((one) => one.ts === ts)
    const channel = channels.find((one) => one.channel.id === written?.channel)?.channel
    const own = written && channel && { text: wrapLinks(written.text), ts, user: written.author, channel }
    const message = there(own ?? this.#slack.message(ts))
    const exchange = await this.#demo.traffic.record(`Chooses ${callbackId}`, () =>
      this.#slack.shortcut(this.#slack.appUrl, { callback_id: callbackId, message, user }),
    )
    return { problem: describeProblem(exchange) }
  }

  /** Finds an element, in the version of the message that showed it: another person may have changed the message since. */
  #findElement({ at, actionId, blockId }: Pick<ActionWith<'act'>, 'at' | 'actionId' | 'blockId'>) {
    const ids = { action_id: actionId, block_id: blockId }
    if ('view' in at) return { view: there<View>(this.#slack.view(at.view)), ...ids }
    return { message: there(this.#slack.messageWith(at.message, actionId, blockId)), ...ids }
  }

  async #act(action: Action, user: User, workspace: DemoWorkspace): Promise<ActionResult> {
    switch (action.kind) {
      case 'write':
        await this.#write(workspace, user, action)
        return {}
      case 'tool':
        return this.#callTool(user, action)
      case 'home': {
        const channel = `D${user.id.slice(1)}`
        const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel }
        await this.#slack.event(this.#slack.appUrl, event, { team: workspace.team })
        return {}
      }
      case 'close': {
        const view = this.#slack.view(action.view)
        if (view) this.#slack.closeView({ view, user })
        return {}
      }
      case 'submit':
        return this.#submit(user, action)
      case 'suggest': {
        const input = { ...this.#findElement(action), user, value: action.value }
        const exchange = await this.#slack.suggest(this.#slack.appUrl, input)
        return { options: exchange.options, problem: describeProblem(exchange) }
      }
      case 'act':
        return this.#click(action, user)
      case 'shortcut':
        return this.#chooseShortcut(workspace, user, action)
      default:
        return this.#demo.controls.use(action, workspace)
    }
  }
}
