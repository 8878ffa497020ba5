import { AuthorizationError, type Installation, InvalidStateError, MissingStateError } from '@slack/oauth'
import { escapeText } from '../../slack/blocks/blocks.ts'
import type { HtmlPage, PageLink } from './html-page.ts'
import { UsedStateError } from './state-store.ts'

export const welcomeText =
  'Thanks for installing Callboard. Connect your phone account, and your team can look up its calls in Slack. You need its API key and secret.'

/** Slack's own hosts, GovSlack's too, have their admin pages on `app.`; whatever else stands in for Slack has them itself. */
const slackHosts = ['slack.com', 'slack-gov.com']

/**
 * Slack's page on which an organisation's admin adds the app to workspaces: an organisation-wide installation is in none
 * yet. `undefined` for the installation in a workspace.
 * @param apiUrl base of Slack's Web API
 * @see https://api.slack.com/enterprise/apps/reference
 */
export function addToWorkspacesUrl(
  { isEnterpriseInstall, enterprise, appId }: Installation,
  apiUrl: string,
): string | undefined {
  if (!isEnterpriseInstall || !enterprise || appId === undefined) return undefined
  const [id, app] = [enterprise.id, appId].map(encodeURIComponent)
  const url = new URL(`/manage/${id}/integrations/profile/${app}/workspaces/add`, apiUrl)
  if (slackHosts.includes(url.hostname)) url.hostname = `app.${url.hostname}`
  return url.href
}

/** @param addUrl Slack's page for adding the app to workspaces */
export const organisationWelcomeText = (addUrl: string) =>
  [
    "Thanks for installing Callboard in your organisation. It isn't in any of its workspaces yet:",
    `1. <${escapeText(addUrl)}|Add it to workspaces> that should have it.`,
    "2. In each of them, connect its phone account with its API key and secret: `/calls connect`. You're the administrator where you're a member, and name others in the Home tab: Slack doesn't tell Callboard who is an admin of a single workspace.",
    '3. Try `/calls` there. `/callboard` shows everything else.',
  ].join('\n')

const failure = (status: number, title: string, line: string, button = 'Try again') => {
  const link = { text: button, href: '/slack/install' }
  return { status, title, lines: [line], link }
}

/** What a person sees whose installation was not finished, and its HTTP status. */
export function failurePage(error: Error): ReturnType<typeof failure> {
  if (error instanceof AuthorizationError)
    return failure(403, 'Not installed', 'You cancelled. Nothing was installed.')
  if (error instanceof MissingStateError) {
    const line = 'Nothing was installed yet. The installation starts with this button.'
    return failure(400, 'Install Callboard', line, 'Install Callboard')
  }
  if (error instanceof UsedStateError) {
    const line = 'This page was loaded a second time. Open Slack and try `/calls` there.'
    return failure(400, 'Callboard may be installed already', line, 'Install again')
  }
  if (error instanceof InvalidStateError) {
    const line = 'This link has expired, or you opened it in another browser.'
    return failure(400, 'Link expired', line)
  }
  const line = 'Something went wrong between Slack and Callboard. Nothing was installed.'
  return failure(500, 'Not installed', line)
}

/** @param apiUrl base of Slack's Web API, ends in `/` */
export function successPage(installation: Installation, apiUrl: string): HtmlPage {
  const { appId, team, enterprise } = installation
  const where = team?.name ?? enterprise?.name
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined)
    return {
      title: 'Callboard is installed',
      lines: [
        `${where ?? 'Your organisation'} has it now, but none of its workspaces yet. Next, choose those that should have it.`,
        'Then, in each of them, type `/calls connect` and enter the API key and secret of its phone account.',
      ],
      link: { text: 'Choose workspaces', href: addUrl },
    }
  const query = new URLSearchParams({ ...(appId ? { app: appId } : {}), ...(team ? { team: team.id } : {}) })
  return {
    title: 'Callboard is installed',
    lines: [
      `It's in ${where ?? 'your workspace'} now, and has sent you a message there.`,
      'Next, connect your phone account with its API key and secret: use the button in that message, or type `/calls connect`.',
    ],
    link: { text: 'Open Slack', href: new URL(`/app_redirect?${query}`, apiUrl).href },
  }
}

/** Where an installation begins. @param url Slack's page that asks for consent */
export const installPage = (url: string): HtmlPage => ({
  title: 'Install Callboard',
  lines: ["Your phone account's calls, agents and billing, without leaving Slack."],
  link: { text: 'Add to Slack', href: url },
})

const what = [
  'Missed calls, agents and phone bills, without leaving Slack: `/calls`, `/agents` and `/billing`. Answers are for whoever asks: only they can see them. A channel sees what somebody posts or shares there, and scheduled posts.',
  'An administrator connects the phone account with its API key and secret, and decides who sees calls, agents and billing. Guests see none of it.',
]

const privacy = [
  'What is kept: which workspace or organisation has Callboard, with its access to Slack and who installed it; the API key and secret of the phone account; what people set up, which is time zones, access, administrators, names of lines, schedules and alerts; of each missed call that an alert told, when it was and on which line, with who looked after it, for 100 days; when the phone service last answered; what is being exported for whom, until it is done; and an audit log of who connected, changed, shared, exported or posted what, or viewed the SIP password of an agent, each entry for a year at least. People are kept as their Slack IDs, who looked after an alert by name too, and an agent whose SIP password somebody viewed or whose calls an alert is about by ID and name. Notes that keep a thing from happening twice are deleted within 30 days.',
  "What isn't kept: apart from those agents, those missed calls and the next billing date of a schedule, calls, agents and billing are read from the phone service when somebody asks, a report is due or an alert looks, and stay in memory for a minute, what a search for a number found for ten; calls that somebody exports are in a temporary file until it is sent. Callboard has no permission to read the messages of channels: Slack hands over the one in whose menu somebody chooses “Find calls by number”, and nothing of it is kept.",
  'Where: in the database of whoever runs Callboard at this address. The access to Slack, the API key and the secret are encrypted there. The log of its operation names workspaces and people by their IDs, and holds no key, secret or password. Nothing goes to anybody but Slack and the phone service.',
  'How long: until it is deleted. Uninstalling Callboard from a workspace deletes everything that is kept of it, and so does an administrator with `/callboard forget`; `/calls disconnect` deletes the API key and secret alone. What was posted in Slack, or sent to somebody as a file, stays there, under the rules of the workspace. How long backups and logs are kept, whoever runs Callboard can say.',
]

const readable = (url: string) => url.replace(/^(mailto:|https:\/\/)/, '').replace(/\?.*$/, '')

/** What the app does, how it is installed, what it keeps, and whom to ask. Pure. */
export function aboutPage(installPath: string, supportUrl: string | undefined): HtmlPage {
  const support: PageLink | undefined =
    supportUrl === undefined ? undefined : { text: readable(supportUrl), href: supportUrl }
  const ask = support
    ? 'For help, and for questions about what is kept of your workspace:'
    : 'For help, and for questions about what is kept of your workspace, ask whoever gave you this address: they run Callboard.'
  return {
    title: 'Your phone account in Slack',
    lines: what,
    link: { text: 'Add to Slack', href: installPath },
    sections: [
      { heading: 'Privacy', lines: privacy },
      { heading: 'Support', lines: [ask], link: support },
    ],
  }
}
