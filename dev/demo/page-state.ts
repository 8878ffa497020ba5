import type { User, View } from '../slack/slack.ts'
import type { PageState, ShownMessage, ShownView } from './api-types.ts'
import type { Controls } from './controls.ts'
import type { DemoClock } from './demo-clock.ts'
import { firstCommand, type TourProgress, tourSteps } from './tour.ts'
import { slackbot, type UserMessages } from './user-messages.ts'
import type { DemoParts, DemoWorkspace } from './workspaces.ts'

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

/** Returns everything that a person sees, without other people's private messages. */
export function pageState(
  { workspace, user }: { readonly workspace: DemoWorkspace; readonly user: User },
  demo: DemoParts,
  {
    userMessages,
    progress,
    controls,
    clock,
  }: {
    readonly userMessages: UserMessages
    readonly progress: TourProgress
    readonly controls: Controls
    readonly clock: DemoClock
  },
): PageState {
  const { slack, sandbox, installUrl, manifest, workspaces } = demo
  const { team, people, channels } = workspace
  const { name: accountName, key, secret } = sandbox.accounts[workspace.account]
  const direct = slack.directChannel(user)?.id
  const visible = new Set([direct, ...channels.map(({ channel }) => channel.id)])
  const ofApp: ShownMessage[] = slack
    .messages({ user })
    .filter(({ channel }) => visible.has(channel))
    .map(({ ts, channel, onlyFor, text, blocks, files = [] }) => ({
      ts,
      channel: channel === direct ? DIRECT : channel,
      author: team.botUserId,
      isOnlyForYou: onlyFor !== undefined,
      text,
      blocks,
      files: files.map(({ id, name, length }) => ({ id, name, bytes: length })),
    }))
  const ofPeople: ShownMessage[] = userMessages.all
    .filter(({ onlyFor, channel }) => (onlyFor ?? user.id) === user.id && visible.has(channel))
    .map(({ onlyFor, ...message }) => ({
      ...message,
      isOnlyForYou: onlyFor !== undefined,
      blocks: [],
      files: [],
    }))
  const home = slack.home(user)
  return {
    user: user.id,
    workspace: workspace.name,
    timeZone: user.tz,
    aheadMs: clock.aheadMs,
    isInstalled: team.isInstalled === true,
    installUrl,
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
    commands: manifest.commands,
    shortcuts: team.isInstalled === true ? manifest.shortcuts : [],
    account: { name: accountName, key, secret },
    service: controls.service,
    tour: tourSteps(demo, progress),
    proposal: progress.isDone('missed')
      ? undefined
      : { channel: workspaces[0].channels[0].channel.id, text: firstCommand },
    messages: [...ofApp, ...ofPeople].sort((a, b) => Number(a.ts) - Number(b.ts)),
    views: slack
      .openViews()
      .filter((view) => view.user === user.id)
      .map(shownView),
    home: home && shownView(home),
  }
}
