import {
  AuthorizationError,
  type Installation,
  InvalidStateError,
  MissingCodeError,
  MissingStateError,
} from '@slack/oauth'
import { escapeText } from '../../slack/blocks/blocks.ts'
import { anchor, buttonLink, type HtmlPage, pageSection, paragraphs, renderTable } from './html-page.ts'
import { UsedStateError } from './state-store.ts'

export const welcomeText =
  'Thanks for installing Callboard. Connect your phone account, and your team can look up its calls in Slack. You need its API key and secret.'

/**
 * Returns Slack's page where an organization's admin adds the app to workspaces: an organization-wide installation starts
 * without any. Returns `undefined` for an installation in a workspace.
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
  // Slack's and GovSlack's admin pages are on `app.`; test servers use http and have no such host.
  if (url.protocol === 'https:') url.hostname = `app.${url.hostname}`
  return url.href
}

/** @param addUrl Slack's page for adding the app to workspaces */
export const organizationWelcomeText = (addUrl: string) =>
  [
    "Thanks for installing Callboard in your organization. It isn't in any of its workspaces yet:",
    `1. <${escapeText(addUrl)}|Add it to workspaces> that should have it.`,
    "2. In each of them, connect its phone account with its API key and secret: `/calls connect`. You are the administrator in each workspace that you belong to, and can name others in the Home tab, because Slack doesn't tell Callboard who is an admin of a single workspace.",
    '3. Try `/calls` there. `/callboard` shows everything else.',
  ].join('\n')

export interface ShortPage {
  readonly status: number
  readonly title: string
  readonly lines: readonly string[]
  readonly button: readonly [text: string, href: string]
}

/** Renders the result of an installation. */
export function shortPage({ title, lines, button }: ShortPage, supportUrl: string): HtmlPage {
  const links = [
    anchor('About Callboard', '/'),
    anchor('Privacy', '/#privacy'),
    anchor('Support', supportUrl),
  ]
  const footer = `<footer>${links.join('')}</footer>`
  return { title, content: paragraphs(lines) + buttonLink(...button) + footer }
}

const failure = (status: number, title: string, line: string, button = 'Try again'): ShortPage => {
  return { status, title, lines: [line], button: [button, '/slack/install'] }
}

export function describeFailedInstall(error: Error): ShortPage {
  if (error instanceof AuthorizationError)
    return failure(403, 'Not installed', 'You cancelled. Nothing was installed.')
  if (error instanceof MissingStateError || error instanceof MissingCodeError) {
    const line = 'Nothing is installed yet. Start with the button below.'
    return failure(400, 'Install Callboard', line, 'Install Callboard')
  }
  if (error instanceof UsedStateError) {
    const line = 'This page was loaded a second time. Open Slack and try `/calls` there.'
    return failure(400, 'Callboard may be installed already', line, 'Install again')
  }
  if (error instanceof InvalidStateError)
    return failure(400, 'Link expired', 'This link has expired, or you opened it in another browser.')
  const line = 'Something went wrong between Slack and Callboard. Nothing was installed.'
  return failure(500, 'Not installed', line)
}

/** @param apiUrl base of Slack's Web API, ends in `/` */
export function describeInstall(installation: Installation, apiUrl: string): ShortPage {
  const { appId, team, enterprise } = installation
  const result = { status: 200, title: 'Callboard is installed' }
  const addUrl = addToWorkspacesUrl(installation, apiUrl)
  if (addUrl !== undefined)
    return {
      ...result,
      lines: [
        `${enterprise?.name ?? 'Your organization'} has Callboard now, but none of its workspaces yet. Next, choose the workspaces that should have it.`,
        'Then, in each of them, type `/calls connect` and enter the API key and secret of its phone account.',
      ],
      button: ['Choose workspaces', addUrl],
    }
  const query = new URLSearchParams({ ...(appId ? { app: appId } : {}), ...(team ? { team: team.id } : {}) })
  return {
    ...result,
    lines: [
      `Callboard is in ${team?.name ?? 'your workspace'} now, and has sent you a message there.`,
      'Next, connect your phone account with its API key and secret: use the button in that message, or type `/calls connect`.',
    ],
    button: ['Open Slack', new URL(`/app_redirect?${query}`, apiUrl).href],
  }
}

const introduction = [
  'Missed calls, agents and phone bills, without leaving Slack: `/calls`, `/agents` and `/billing`. Only the person who asks sees the reply. A channel sees what people post or share there, missed-call alerts and scheduled posts.',
  'An administrator connects the phone account with its API key and secret, and decides who sees calls, agents and billing. Guests see none of it.',
]

const privacy = [
  'Calls, agents and bills are read from the phone service when they are asked for, when a report is due or an alert checks for missed calls. Callboard has no permission to read the messages of channels: Slack hands over one message when "Find calls by number" is chosen in its menu, and none of it is kept.',
  'Data is kept in the database of whoever runs Callboard at this address. Access to Slack, the API key and the secret are encrypted there. Data goes to Slack (including Slackbot, when people ask it) and to the phone service, and to nobody else.',
]

const deleteWorkspace = 'Uninstall Callboard, or `/callboard forget`'

const keptHead = ['What is kept', 'Why', 'How long', 'Delete or export it']
const keptRows = [
  [
    'The workspace or organization, its access token (encrypted), and the Slack ID of who installed Callboard',
    'To answer there',
    'Until Callboard is uninstalled',
    deleteWorkspace,
  ],
  [
    'API key and secret of the phone account (encrypted)',
    'To read the phone account',
    'Until the account is disconnected',
    '`/calls disconnect`',
  ],
  [
    'Time zones, access rules, administrators, names of lines',
    'To show calls as the workspace set it up',
    'Until changed',
    'Change them, uninstall Callboard, or `/callboard forget`',
  ],
  ['Which agent a person is', 'For `/calls mine`', "Until the workspace's data is deleted", deleteWorkspace],
  [
    'Alerts and schedules: what they are about, who set them up or muted them (Slack ID), the next billing date, the total of the last bill posted',
    'To post on time',
    'Until deleted',
    'Delete them in the Home tab',
  ],
  [
    'Missed calls that an alert posted: when, on which line, who set it up and who took them, by Slack ID and name',
    'To show who took them, and for reports',
    '100 days',
    deleteWorkspace,
  ],
  [
    'Audit log: Slack ID of who connected, changed, shared, exported or posted what, and whose SIP password was viewed, by ID and name of the agent',
    'So that administrators can look up who did what',
    'At least a year',
    'Export it: `/callboard audit`. Delete it: uninstall Callboard, or `/callboard forget`',
  ],
  [
    'An export: who asked for what, and its calls in memory',
    'To finish it after a restart',
    'Until it is sent',
    'Cancel it in its message',
  ],
  [
    'Calls, agents and bills, in memory only',
    'To turn pages quickly',
    'A minute; ten for a search by number',
    'Deleted automatically',
  ],
  ['Duplicate-prevention records', 'So that nothing is posted twice', '30 days', 'Deleted automatically'],
  [
    'Logs: IDs of workspaces and people, never a key, secret or password. Backups of all of this',
    'To keep Callboard running',
    'As whoever runs Callboard decides',
    'Ask support',
  ],
]

const yourData = [
  'Export: `/calls export` sends calls, and `/callboard audit` the audit log, as a CSV file.',
  'Delete: uninstalling Callboard deletes all data about a workspace, and so does an administrator with `/callboard forget`. What was posted in Slack, or sent as a file, stays there, under the rules of the workspace.',
  'To see, transfer, correct or delete data about you or your workspace in any other way, write to:',
]

const toDisplayUrl = (url: string) => url.replace(/^(mailto:|https:\/\/)/, '').replace(/\?.*$/, '')

/** The landing page: purpose, installation, stored data, support. */
export function aboutPage(installPath: string, supportUrl: string): HtmlPage {
  const support = anchor(toDisplayUrl(supportUrl), supportUrl)
  const content = [
    paragraphs(introduction),
    buttonLink('Add to Slack', installPath),
    pageSection('privacy', 'Privacy', paragraphs(privacy)),
    pageSection('retention', 'What is kept, and how long', renderTable(keptHead, keptRows)),
    pageSection('your-data', 'Access, transfer and deletion', paragraphs(yourData) + support),
    pageSection('support', 'Support', paragraphs(['For help with Callboard:']) + support),
  ]
  return { title: 'Your phone account in Slack', content: content.join(''), isWide: true }
}
