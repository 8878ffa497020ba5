import { chapter, fail, failNext, pass, type Step, slackFails, status, works } from './recorder.ts'

const nobody = { kind: 'set', envelope: { result: [] } } as const
const [ada, ben, gus] = ['U0ADA1', 'U0BEN1', 'U0GUS1'] as const

/** The next bill is another one. */
const billed = (name: string, record: Readonly<Record<string, string>>): Step[] => [
  failNext({ kind: 'set', record }, 'billing'),
  [name, '/billing'],
]
const choosePeople = '/billing settings > billing.settings.who.billing=people'

/** Whatever the audit log records. */
const everything: Step[] = [
  ['', '/calls timezone Europe/Berlin'],
  ['', '/agents hollis > agents.row=details > agents.reveal'],
  ['', '/billing settings', { administrators: [ben], agents: 'admins' }],
  ['', '/billing settings', { administrators: null, agents: 'admins' }],
  ['', '/billing schedule', { where: 'channel', channel: 'C0FINANCE1', rhythm: 'monthly first' }],
  ['', '/billing schedules > Mute for an hour'],
  ['', '/billing schedules > Turn on'],
  ['', '/billing schedules > Delete…', {}],
  ['', '/billing post #finance', {}],
  '/calls missed > calls.share',
  ['', '/billing delete-customer C-4101', { again: 'C-4101' }],
  ...Array.from({ length: 11 }, (_, n): Step => {
    const zone = n % 2 ? 'Tokyo' : 'Seoul'
    return ['', `/calls timezone Asia/${zone}`]
  }),
  ['', '/calls alert', { channel: 'C0SUPPORT1' }],
  ['', '/calls alerts > Mute for an hour'],
  ['', '/calls alerts > Turn on'],
]

const inFinance = '/billing post #finance'
const failingPost = (name: string, method: string, fault: Parameters<typeof slackFails>[1]): Step[] => [
  slackFails(method, fault),
  [name, inFinance, {}],
  pass(2),
]

const invoice = (_: unknown, index: number) => ({
  invoice_id: String(730100 + index),
  date: `2026-${String(10 - (index % 10)).padStart(2, '0')}-01`,
  amount: `$${38 + index}.00`,
  status: index === 0 ? 'Pending' : 'Proccessed',
  invoice_url: `https://invoices.example.com/${730100 + index}.pdf`,
})
const [first, second, third] = ['C-4101', 'C-4102', 'C-4103'] as const
const failedRun = (why: string, fault: Parameters<typeof fail>[0]): Step[] => [
  ['_form', `/billing delete-customer ${first}`],
  fail(fault, 'invoices'),
  [`Failed: ${why}`, '_form', { again: first }],
  works,
  (stage) => stage.connect(),
  pass(2),
]

export const billingChapters = [
  chapter('Agents', {}, [
    ['First page', '/agents'],
    ['Last page', 'First page > agents.page.next'],
    ['By a part of the name', '/agents smith'],
    ['One of that name', '/agents hollis'],
    ['Nobody of that name', '/agents nobody'],
    ['Beyond the last page', '/agents page:5'],
    ['Help', '/agents help'],
    ['Words that make no sense', '/agents page:0 status:on'],
    ['No agents', '/agents', pass(2), failNext(nobody)],
    pass(2),
    'First page > agents.share',
    ['Shared in a channel', '#support Agents'],
    ['_list', '/agents hollis'],
    ['Details, to an admin', '_list > Details'],
    ['SIP password', 'Details, to an admin > agents.reveal'],
    ['Details, to a member', 'ben: /agents hollis > Details'],
    fail(
      { kind: 'set', record: { callerid: '', sip_login: '', ipaddress: 'maybe', webphone: '' } },
      'agents',
    ),
    ['Nothing but a name', '/agents hollis', pass(2)],
    ['Details that are not all there', '/agents hollis > Details'],
    ['SIP password, no webphone', 'Details that are not all there > agents.reveal'],
    ['Not there any more', '_list > Details', works, fail(nobody, 'agents'), pass(2)],
    works,
  ]),
  chapter('Billing', {}, [
    ['Help, to a member who does not', 'ben: /billing help'],
    ['Billing, to an admin', '/billing'],
    ['Help, to an administrator', '/billing help'],
    ['Access, without selected people', '/billing settings'],
    ['_people', 'Access, without selected people > billing.settings.who.billing=people'],
    [
      'Access, people who are refused',
      '_people',
      { 'billing.people': [gus, 'U0SOMEBOT1'], administrators: [gus] },
    ],
    ['Access, saved', '_people', { 'billing.people': [ada, ben], administrators: null }],
    ['Access', '/billing settings'],
    pass(2),
    slackFails('users.info', {}),
    slackFails('users.info', { delayMs: 2200, status: 500 }),
    [
      'Access, being saved | Access, being saved, and it fails on our side',
      'Access',
      { administrators: [ben] },
    ],
    ['Billing, to a member', 'ben: /billing'],
    ['Help, to a member who sees billing', 'ben: /billing help'],
    ['', '/billing settings', { administrators: null }],
    ["Words that Callboard doesn't know", 'ben: /billing everything'],
    ['A slip of the keyboard', '/billing psot #finance'],
    ...billed('A total that is more than its items', { total_monthly: '$999.50' }),
    ...billed('A total that is less than its items', { total_monthly: '$114.00' }),
    ...billed('Amounts that can not be read', { billingcycle: '29/11', total_monthly: 'on request' }),
    ...billed('Billed today', { billingcycle: '2026-11-05' }),
    (stage) => stage.connect('', '/calls connect', 'quiet'),
    failNext({
      kind: 'patch',
      patch: (record) => ({
        ...record,
        creditlimit: '£0.00',
        total_monthly: '£19.00',
        addon: { ...Object(record['addon']), did: [] },
      }),
    }),
    ['A plan and nothing else', '/billing'],
  ]),
  chapter('Billing', { hasOAuth: true }, [
    ['Audit log, empty', '/billing audit', (stage) => stage.install()],
    (stage) => stage.connect(),
    ...everything,
    ['Audit log', '/billing audit'],
    ['Audit log, one page of several', 'Audit log > billing.audit.page.next'],
    ['Audit log, sent as a file', 'Audit log > billing.audit.export'],
    ['Audit log, above its file', '@ada audit log'],
    slackFails('files.getUploadURLExternal', 'missing_scope'),
    ['A file that Slack refuses', '/billing audit > billing.audit.export'],
  ]),
  chapter('Billing', { hasOAuth: true }, [
    (stage) => stage.installInOrganisation(),
    ['Access, in an organisation', 'nia: /billing settings'],
  ]),
  chapter('Billing posts', {}, [
    ['Preview', inFinance],
    ['Preview, from the bill', '/billing > billing.post.channel'],
    ['A channel that is refused', 'Preview, from the bill !', { channel: 'C0WAREHOUSE1' }],
    ['Preview with everything', `${inFinance} > billing.post.include=card,limit`],
    ['Posted', 'Preview with everything', {}],
    ['The post in a channel', '#finance Billing'],
    ...failingPost('Posted, without a link', 'chat.getPermalink', 'message_not_found'),
    ...failingPost('Refused by Slack', 'chat.postMessage', 'restricted_action'),
    ...failingPost('Not accepted just now', 'chat.postMessage', status(429, { 'retry-after': '30' })),
    ...failingPost('Perhaps posted', 'chat.postMessage', { cut: true }),
    ['_before', inFinance],
    failNext({ kind: 'set', record: { total_monthly: '$1.00' } }, 'billing'),
    ['Preview once more, the figures having changed', '_before', {}],
    ['Preview, of a channel that is not there', '/billing post finanse'],
    (stage) => void Object.assign(stage.channel('finance'), { members: [gus] }),
    ['An administrator who is not in the channel', `${inFinance} !`, {}, pass(2)],
    ['', choosePeople, { 'billing.people': [ben] }],
    ['A person who is not in the channel', `ben: ${inFinance} !`, {}],
  ]),
  chapter('Deleting a customer', {}, [
    ['No customer', '/billing delete-customer'],
    ['Confirmation', `/billing delete-customer ${first}`],
    ['Confirmation, another id typed', 'Confirmation', { again: 'C-0000' }],
    failNext({ kind: 'delay', ms: 2600 }, 'invoices'),
    ['Running | Result', 'Confirmation', { again: first }],
    ['Result without invoices', `/billing delete-customer ${third}`, { again: third }],
    ['_many', `/billing delete-customer ${second}`],
    failNext({ kind: 'set', envelope: { result: Array.from({ length: 64 }, invoice) } }, 'invoices'),
    ['Result, more than are shown', '_many', { again: second }],
    ['Run before', '_many !', { again: second }, (stage) => stage.restart()],
    ...failedRun('the key and secret are not accepted', status(401)),
    ...failedRun('refused', status(400)),
    ...failedRun('too many requests', status(429)),
    ...failedRun('the answer was lost', { kind: 'cut-connection' }),
  ]),
  chapter('Deleting a customer', { config: { invoiceOperation: false } }, [
    ['Switched off', '/billing delete-customer C-1'],
    ['Invoices', '/billing invoices'],
  ]),
  chapter('Deleting a customer', {}, [
    ['_form', `/billing delete-customer ${first}`],
    ['Failed: not reached', '_form', { again: first }, (stage) => stage.unplug()],
  ]),
]
