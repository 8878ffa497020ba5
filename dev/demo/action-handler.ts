import { escapeCommandText, wrapLinks } from '../slack/actions/command-text.ts'
import type { Exchange, User, View } from '../slack/slack.ts'
import type { Action, ActionResult, ShownTool } from './api-types.ts'
import { splitCommand } from './command-text.ts'
import type { Controls } from './controls.ts'
import type { TrafficLog } from './traffic.ts'
import { slackbot, type UserMessages } from './user-messages.ts'
import { type DemoParts, type DemoWorkspace, personIn } from './workspaces.ts'

/** Returns Slack's error for a click or a modal without a usable answer. */
function describeProblem({ timedOut, error }: Exchange): string | undefined {
  if (timedOut) return 'Callboard took longer than 3 seconds to answer.'
  return error === undefined ? undefined : `Slack couldn't use Callboard's answer (${error}).`
}

type ActionWith<K extends Action['kind']> = Extract<Action, { kind: K }>

function there<T>(what: T | undefined): T {
  if (what === undefined) throw new Error("That doesn't exist any more.")
  return what
}

/**
 * Creates the handler of actions on the page, which passes them to the app as Slack does.
 * @returns a function that throws an Error if the person, channel, message or view doesn't exist
 */
export function actionHandler(
  { slack, appUrl, manifest, workspaces }: DemoParts,
  parts: { readonly userMessages: UserMessages; readonly traffic: TrafficLog; readonly controls: Controls },
): (action: Action) => Promise<ActionResult> {
  const { userMessages, traffic, controls } = parts

  async function write({ channels, team, people }: DemoWorkspace, user: User, action: ActionWith<'write'>) {
    const { channel: id, text } = action
    const { channel } = there(channels.find((one) => one.channel.id === id))
    const typed = splitCommand(text)
    const say = (author: string, words: string, onlyFor?: string) =>
      userMessages.add({ channel: id, author, onlyFor, text: words })
    const answer = (words: string) => say(slackbot, words, user.id)
    if (!typed) return say(user.id, text)
    const { command, whole } = typed
    if (command === '/invite') {
      if (typed.text.trim().toLowerCase() !== '@callboard')
        return answer('Only @Callboard can be invited in this demo.')
      channel.isMember = true
      return answer(`Callboard is in #${channel.name} now.`)
    }
    const commands = manifest.commands.map((one) => one.command)
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
    const { error } = await traffic.record(whole, () =>
      slack.command(appUrl, { command, text: escaped, user, channel }),
    )
    if (error !== undefined) answer(`${command} failed with the error "${error}".`)
  }

  async function submit(user: User, { view: id, values }: ActionWith<'submit'>) {
    const view = there(slack.view(id))
    const exchange = await traffic.record(`Submits ${view.title?.text ?? 'a modal'}`, () =>
      slack.submit(appUrl, { view, values, user }),
    )
    const { result } = exchange
    if (result?.action === 'errors') return { errors: result.errors }
    if (result?.action === 'failed') return { problem: describeProblem(exchange) ?? result.reason }
    return {}
  }

  async function click(action: ActionWith<'act'>, user: User) {
    const { actionId, choose, values } = action
    const input = {
      ...findElement(action),
      user,
      ...(choose !== undefined && { choose }),
      ...(values !== undefined && { values }),
    }
    const exchange = await traffic.record(`Clicks ${actionId}`, () => slack.click(appUrl, input))
    return { problem: describeProblem(exchange) }
  }

  async function listTools(): Promise<readonly ShownTool[]> {
    return (await slack.slackbot.tools(appUrl)).map(({ inputSchema: { properties, required }, ...tool }) => ({
      ...tool,
      fields: Object.entries(properties).map(([name, { type, description, enum: choices = [] }]) => ({
        name,
        description,
        choices: type === 'boolean' ? ['true'] : choices,
        type,
        isRequired: required.includes(name),
      })),
    }))
  }

  async function callTool(user: User, { tool, args }: ActionWith<'tool'>): Promise<ActionResult> {
    let answer: ActionResult['answer']
    await traffic.record(`Slackbot calls ${tool}`, async () => {
      const called = await slack.slackbot.call(appUrl, { user, tool, args })
      answer = called.answer
      return called.exchange
    })
    return answer ? { answer } : {}
  }

  async function chooseShortcut({ channels }: DemoWorkspace, user: User, action: ActionWith<'shortcut'>) {
    const { message: ts, callbackId } = action
    const written = userMessages.all.find((one) => one.ts === ts)
    const channel = channels.find((one) => one.channel.id === written?.channel)?.channel
    const own = written && channel && { text: wrapLinks(written.text), ts, user: written.author, channel }
    const message = there(own ?? slack.message(ts))
    const exchange = await traffic.record(`Chooses ${callbackId}`, () =>
      slack.shortcut(appUrl, { callback_id: callbackId, message, user }),
    )
    return { problem: describeProblem(exchange) }
  }

  /** Finds an element, in the version of the message that showed it: another person may have changed the message since. */
  function findElement({ at, actionId, blockId }: Pick<ActionWith<'act'>, 'at' | 'actionId' | 'blockId'>) {
    const ids = { action_id: actionId, block_id: blockId }
    if ('view' in at) return { view: there<View>(slack.view(at.view)), ...ids }
    return { message: there(slack.messageWith(at.message, actionId, blockId)), ...ids }
  }

  async function act(action: Action, user: User, workspace: DemoWorkspace): Promise<ActionResult> {
    switch (action.kind) {
      case 'write':
        await write(workspace, user, action)
        return {}
      case 'tools':
        return { tools: await listTools() }
      case 'tool':
        return callTool(user, action)
      case 'home': {
        const channel = `D${user.id.slice(1)}`
        const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel }
        await slack.event(appUrl, event, { team: workspace.team })
        return {}
      }
      case 'close': {
        const view = slack.view(action.view)
        if (view) slack.closeView({ view, user })
        return {}
      }
      case 'submit':
        return submit(user, action)
      case 'suggest': {
        const input = { ...findElement(action), user, value: action.value }
        const exchange = await slack.suggest(appUrl, input)
        return { options: exchange.options, problem: describeProblem(exchange) }
      }
      case 'act':
        return click(action, user)
      case 'shortcut':
        return chooseShortcut(workspace, user, action)
      default:
        return controls.use(action, workspace)
    }
  }

  return async (action) => {
    const { user, workspace } = there(personIn(workspaces, action.user))
    try {
      return await act(action, user, workspace)
    } finally {
      slack.changes.emit('change')
    }
  }
}
