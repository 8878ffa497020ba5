import type { HtmlPage, PageLink } from './html-page.ts'

const what = [
  'Callboard puts a telephony account where a team already talks: `/calls` lists its calls, `/agents` its agents, and `/billing` its plan and total. Only the person who asked sees the answer; a channel sees what somebody posts or shares there, and what is posted on schedule.',
  'An admin connects the account with its key and secret, and decides who sees calls, agents and billing. Guests see nothing of it.',
]

const privacy = [
  'What is kept: which workspace or organisation has Callboard, with its access to Slack and who installed it; the key and secret of the telephony account; what people set up, which is time zones, who may see what and manage Callboard, and schedules; when the telephony service last answered; and a log of who connected, changed or posted what, each entry for a year at least. People are kept as their Slack ids. Short notes keep a thing from happening twice, and end by themselves within 30 days.',
  'What is not kept: calls, agents and billing are read from the telephony service when somebody asks, and stay in memory for a minute at most. Callboard has no permission to read the messages of channels.',
  'Where: in the database of whoever runs Callboard at this address. The access to Slack, key and secret are encrypted there. The log of its operation names workspaces and people by their ids, and holds no key, secret or password. Nothing goes to anybody but Slack and the telephony service.',
  'How long: until it is deleted. Uninstalling Callboard from a workspace deletes everything that is kept of it, and so does an admin with `/callboard forget`; `/calls disconnect` deletes key and secret alone. What was posted in Slack, or sent to somebody as a file, stays there, under the rules of the workspace. How long backups and logs are kept, whoever runs Callboard can say.',
]

const readable = (url: string) => url.replace(/^(mailto:|https:\/\/)/, '').replace(/\?.*$/, '')

/** What the app does, how it is installed, what it keeps, and whom to ask. Pure. */
export function aboutPage(installPath: string, supportUrl: string | undefined): HtmlPage {
  const support: PageLink | undefined =
    supportUrl === undefined ? undefined : { text: readable(supportUrl), href: supportUrl }
  const ask = support
    ? 'For help, and for anything about what is kept of your workspace:'
    : 'For help, and for anything about what is kept of your workspace, ask whoever gave you this address: they run Callboard.'
  return {
    title: 'Your telephony account in Slack',
    lines: what,
    link: { text: 'Add to Slack', href: installPath },
    sections: [
      { heading: 'Privacy', lines: privacy },
      { heading: 'Support', lines: [ask], link: support },
    ],
  }
}
