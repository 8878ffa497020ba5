import type { HtmlPage, PageLink } from './html-page.ts'

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
