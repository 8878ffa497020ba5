import type { Slack, User, View } from '../slack/slack.ts'
import type { PageState, ShownMessage, ShownView } from './api-types.ts'
import type { DemoParts } from './parts.ts'
import { firstCommand, tourSteps } from './tour.ts'
import { slackbot, type UserMessages } from './user-messages.ts'
import type { DemoWorkspace } from './workspaces.ts'

/** Stands for the channel of the app's direct messages. */
const DIRECT = 'direct'

const shownView = (view: View): ShownView => ({
  id: view.id,
  hash: view.hash,
  title: view.title?.text ?? '',
  submit: view.submit?.text,
  close: view.close?.text ?? 'Cancel',
  blocks: view.blocks,
})

interface Viewer {
  readonly workspace: DemoWorkspace
  readonly user: User
}

/** Returns the messages that a person sees, without other people's private ones. */
function shownMessages(
  { workspace: { team, channels }, user }: Viewer,
  { slack, userMessages }: { readonly slack: Slack; readonly userMessages: UserMessages },
): readonly ShownMessage[] {
  const direct = slack.directChannel(user)?.id
  const visible = new Set([direct, ...channels.map(({ channel }) => channel.id)])
  const ofApp = slack.messages({ user }).map(({ files = [], ...message }) => ({
    ...message,
    author: team.botUserId,
    files: files.map(({ id, name, length }) => ({ id, name, bytes: length })),
  }))
  const ofPeople = userMessages.all
    .filter(({ onlyFor = user.id }) => onlyFor === user.id)
    .map((message) => ({ ...message, blocks: [], files: [] }))
  return [...ofApp, ...ofPeople]
    .filter(({ channel }) => visible.has(channel))
    .map(({ ts, channel, author, onlyFor, text, blocks, files }) => ({
      ts,
      channel: channel === direct ? DIRECT : channel,
      author,
      isOnlyForYou: onlyFor !== undefined,
      text,
      blocks,
      files,
    }))
    .sort((a, b) => Number(a.ts) - Number(b.ts))
}

/** Returns everything that a person sees. */
export function pageState(viewer: Viewer, demo: DemoParts): PageState {
  const { slack, sandbox, workspaces, progress } = demo
  const { workspace, user } = viewer
  const { team, people, channels } = workspace
  const { name: accountName, key, secret } = sandbox.accounts[workspace.account]
  const home = slack.home(user)
  return {
    user: user.id,
    workspace: workspace.name,
    timeZone: user.tz,
    teamZone: people[0].user.tz,
    aheadMs: demo.clock.now() - Date.now(),
    isInstalled: team.isInstalled === true,
    installUrl: demo.installUrl,
    workspaces: workspaces.map(({ team: { teamId: id }, name, people: [first] }) => ({
      id,
      name,
      user: first.user.id,
    })),
    people: [
      ...people.map(({ user: { id, real_name: name }, title }) => ({ id, name, title, isApp: false })),
      { id: team.botUserId, name: 'Callboard', title: 'App', isApp: true },
      { id: slackbot, name: 'Slackbot', title: 'App', isApp: true },
    ],
    channels: channels.map(({ channel: { id, name, isMember }, topic }) => ({
      id,
      name,
      topic: isMember ? topic : "Callboard isn't invited here yet",
    })),
    commands: demo.manifest.commands,
    subcommands: demo.subcommands,
    shortcuts: team.isInstalled === true ? demo.manifest.shortcuts : [],
    account: { name: accountName, key, secret },
    service: demo.controls.service,
    tour: tourSteps(demo, progress),
    proposal: progress.isDone('missed')
      ? undefined
      : { channel: workspaces[0].channels[0].channel.id, text: firstCommand },
    messages: shownMessages(viewer, demo),
    views: slack
      .openViews()
      .filter((view) => view.user === user.id)
      .map(shownView),
    home: home && shownView(home),
  }
}
