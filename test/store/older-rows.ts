import type { Tenant } from '../../src/store/tenant.ts'

export interface OlderVersion {
  readonly landed: string
  readonly tenant: Tenant
  /** What it left in `callboard_store`, to the letter: a line for each row, of namespace, key and value. */
  readonly rows: string
}

/** Id and byte of the key that the rows are encrypted under: 32 of that byte. */
export const olderKey = { id: 'k1', byte: 7 }

/**
 * Each version that wrote a record for the first time or in another form. These versions wrote the rows themselves, and no
 * row is ever edited: who adds a field to a record gives it a default in its schema, and adds here what was written before.
 */
export const olderVersions: readonly OlderVersion[] = [
  // Had no access rules, no audit trail, no schedules, no jobs, no installations and no connection. The records that it had
  // lacked nothing that they have today.
  {
    landed: '2026-11-21 04:12, the first one',
    tenant: { enterpriseId: undefined, teamId: 'T1' },
    rows: `
channel-settings /T1/C1 {"value":{"zone":"America/New_York"}}
credentials /T1 v1.k1.1YxcsxgcjX4tkJ_xASuQWeBIE_drboh0MLXDV2T1U4Xu2O9kE-k7eOmOTQc2W2KvB0QlbgWad5MbQSwv2NzMyHQIyHg0R2gH_xOuH6RFztzkvMUNySOmLYRDCJoTgkxvRnN7JBte_WGz7dMYzC6yyCVgr23lH1st
table-support /T1 {"value":{"accepted":true}}
workspace-settings /T1 {"value":{"zone":"Europe/Berlin"}}`,
  },
  // Had no schedules, no jobs, no installations and no connection. An audit entry had its `detail` from the start.
  {
    landed: '2026-11-21 06:53, access rules and the audit trail',
    tenant: { enterpriseId: undefined, teamId: 'T2' },
    rows: `
access /T2 {"value":{"calls":{"who":"everyone","people":[]},"agents":{"who":"admins","people":[]},"billing":{"who":"people","people":["U2","U3"]}}}
audit /T2/001795240800000-2deaaba4-703a-481b-860b-fcca440dd76b {"at":1795240800000,"who":"U1","what":"connect"}
audit /T2/001795240800001-43ac0937-1f19-477f-8b93-c53767cf6a51 {"at":1795240800001,"who":"U1","what":"zone","detail":"America/New_York in <#C1>"}
channel-settings /T2/C1 {"value":{"zone":"America/New_York"}}
credentials /T2 v1.k1.5-m0U_j_VN3lXNIz1VrM7nkw_WiWSpvX8YMDkxN3Fm2AFJjWMIdICZfFbPSMOgYQH2Ks360gfw1hIuxAW1Qhdl-Lr-Xu6q7GyALHNEDMnScVSMI9ue6mGvKxDaPXNs6zxARSuQRZd2Qq1HF_JeIqFOiuS3IvpXrU
table-support /T2 {"value":{"accepted":false,"refusedUntil":1795240800000}}
workspace-settings /T2 {"value":{"zone":"Europe/Berlin"}}`,
  },
  // Had no installations and no connection; a notice had no `withConnect`, and got its default where notices are sent.
  // Schedules had `paused` and `billingDay` from the start, where there is something to say.
  {
    landed: '2026-11-21 08:08, scheduled posts',
    tenant: { enterpriseId: undefined, teamId: 'T4' },
    rows: `
credentials /T4 v1.k1.-pHCYJlyR_O6FwI5SUOJmLK5qyL6HHCLJOYEzHweX3AG7nj1aM2IqebTy4ClMPwMNbkDK843lb2rZV_Yue6f1SHgRPiFDXqBoB5fJBx6uIimZKdM2OILwqqGn6eOEHpuR8IQIyQEaJ8VqjPluxzt3zS64IhhiyWv
job:billing-posts /T4/s1/1795248000000/0 {"data":{"tenant":{"teamId":"T4"},"id":"s1","due":1795248000000,"attempt":0},"at":1795248000000,"failed":0}
job:notices T4/s3/1795248000000/U1 {"data":{"tenant":{"teamId":"T4"},"person":"U1","text":"Paused."},"at":1795248000000,"failed":0}
schedules /T4/s1 {"tenant":{"teamId":"T4"},"channel":"C1","time":"09:00","owner":"U1","id":"s1","day":{"kind":"weekly","weekday":1},"due":1795248000000}
schedules /T4/s2 {"tenant":{"teamId":"T4"},"channel":"C1","time":"09:00","owner":"U1","id":"s2","day":{"kind":"monthly","day":"last"},"due":1795248000000,"paused":{}}
schedules /T4/s3 {"tenant":{"teamId":"T4"},"channel":"C1","time":"09:00","owner":"U1","id":"s3","day":{"kind":"billing-date"},"due":1795248000000,"paused":{"why":"the channel is archived"},"billingDay":"2026-12-01"}`,
  },
  // Lacked nothing. An installation without token rotation has no `refreshToken` and no `expiresAt`, and a connection that
  // has not failed no `lastFailure`.
  {
    landed: '2026-11-21 08:37, installations',
    tenant: { enterpriseId: undefined, teamId: 'T5' },
    rows: `
connection /T5 {"value":{"lastSuccess":1795251600000}}
credentials /T5 v1.k1.VtozI0cnkvOGMksmPHwv_Q3a_NY8eiD6fW8DtlJixw2iN0AcsEaBqmoLeHXDCMJsRjLabwDOM_2H4Lnj6cVEES3aYtG5G4z85CY2DPAfCT5lUCnBI63gxivPoMus_VXGeijwcPxddaXC2dPZLJknXK0MmZlVu4bf
installations organisation/E5 v1.k1.pGw0QFqI1nmBwau06neS2lNLSeLaQVlJ0MXh_rl30nbMZkqZAjifpl8egjhhK59QYHBp6UOctKXBaQtYK5yUEqQ_QaL4Lnm5QtjJw7NttiYxieI-hMaKYa7aQrW2qC9NKB4Hy6f-N2WCEuPNADcnlBm9k1hSnDrJvFtyBco2qCH4IJef6QjXL4QneXbGJe_cvGMOaym8DBXT-j1A7u1R6KSGhwCx_8nFp62vXluN8fLxETZN_i_fcgUD8F9GtayjqMSeFvFxC0XFaVE72b_kjHBWL4FSceRNp-9kv7ZXz8Zog1yh
installations team/T5 v1.k1.lGlAyVD2wldBR_IeL3b8KFe8F_9-jT-7VEU-EFMjq6IRvuNUduJIkNPp2TRFlZnGa_F0jB1noqcMKRWZxKxcnd1j7KheqdD4Jt85T9B0ttS-DAO7E5FALghd86GE1HWIlxD9x6q9Sib__B2oQvDIcQBEcD9dBZwyWf5iMg8ffhzyp7U85VyiGNjh-82Y2fW-prIK4JfxmrjJ8Mqz2lJY6OFVaPNUvHjKKX0
job:notices T5/s3/1795251600000/U1 {"data":{"tenant":{"teamId":"T5"},"person":"U1","text":"Paused."},"at":1795251600000,"failed":0}
job:notices welcome/1795251600000 {"data":{"tenant":{"teamId":"T5"},"person":"U1","text":"Welcome.","withConnect":true},"at":1795251600000,"failed":0}`,
  },
  // Lacked nothing. A connection can have a failure alone from here on.
  {
    landed: '2026-11-21 09:23, the connection in memory',
    tenant: { enterpriseId: undefined, teamId: 'T6' },
    rows: `
connection /T6 {"value":{"lastFailure":{"at":1795255200000,"outcome":"connection"}}}
credentials /T6 v1.k1.xtuBd_k-waE7Uj3QqFSWi2BKrYVt4qas_Qn66hT7Y1TUq98uvOEj3H3Bzu_SBN3baBJ27q9pI4MIec-zzIOWnrk7RnSRq0bi_r194P3yAf4twSyKEPAOGCLVNtYzWTNd8Kn14OI9Z5361aRKuMl6MCIBnAmfozSv`,
  },
  // Lacked nothing. Everything at once, of a workspace in an organisation.
  {
    landed: '2026-11-21 10:19, before the store was made of classes',
    tenant: { enterpriseId: 'E7', teamId: 'T7' },
    rows: `
access E7/T7 {"value":{"calls":{"who":"everyone","people":[]},"agents":{"who":"admins","people":[]},"billing":{"who":"people","people":["U2","U3"]}}}
audit E7/T7/001795258800000-b712ca02-57c4-4c79-b655-0ee1228a7761 {"at":1795258800000,"who":"U1","what":"connect"}
audit E7/T7/001795258800001-19203541-9b4e-4e55-b6d6-3b989d9f2a8d {"at":1795258800001,"who":"U1","what":"zone","detail":"America/New_York in <#C1>"}
channel-settings E7/T7/C1 {"value":{"zone":"America/New_York"}}
connection E7/T7 {"value":{"lastSuccess":1795258799000,"lastFailure":{"at":1795258800000,"outcome":"connection"}}}
credentials E7/T7 v1.k1.KVTMyXaKm6_vWwFnPrnXTITHfTxZ3TER13seGTRPKZp2P6qrQExPfgH8RpUU7EhpuEfpBWmW2wtfrAxcKZWx7ogJE6uADhgeC7TbdE2Yq5EGE83RwG9CHB3Thkp0UQKf4trlDhpM-E1FTTe82conVl3dJFPMN3Bq
installations organisation/E7 v1.k1.7a8QFPwK0ILfecsqlhiLhhfyY--qheSPYncvv_MLPq2B6ZRJQLMc1oJDIvweItqEthWYDwRpbdjHDRgn-BaWmjCZ4Ipt4euLqQ8_qZ8Flk4pFjEQGQkjDO4JgK-iWgSAZ7QPVTPiGnldjBn6oFhlt5iU5XY_aN-XchItzjApHFdZk9wyxVcpjusTvQvrl96-UvyNMceqmZiM2UyUBVDggFU6mLnFAvXnxB-dgEtmnzJ6hEk_jexdsFFKPawERok5MHtqQim4RNI4kSu18XZXGuB5IkxIgVkDkjRC8AcAxqIgpJJS
installations team/T7 v1.k1.oF6N_jqtnNiHHVM1t9lgCgF7r7vUjdeCPj15ove7ciiREzLyztCw8jZkw1PnbB0yIY7_ouXo44iipfuRe1oXd9p69ysQqUelcNdYdCEgo9oN1IaAz-BrsnWFaTYXCz-Z0cN8Nyl963jnYak-G5QlK8DL-zfTA9E0TgfA1ElaOa3noFgb99l3aRaYEjvrjQKzZ6NpmxuQeL2YlH1U1HXH0jN2spmKQespoMY
job:billing-posts E7/T7/s1/1795258800000/0 {"data":{"tenant":{"enterpriseId":"E7","teamId":"T7"},"id":"s1","due":1795258800000,"attempt":0},"at":1795258800000,"failed":0}
job:notices T7/s3/1795258800000/U1 {"data":{"tenant":{"enterpriseId":"E7","teamId":"T7"},"person":"U1","text":"Paused."},"at":1795258800000,"failed":0}
job:notices welcome/1795258800000 {"data":{"tenant":{"enterpriseId":"E7","teamId":"T7"},"person":"U1","text":"Welcome.","withConnect":true},"at":1795258800000,"failed":0}
schedules E7/T7/s1 {"tenant":{"enterpriseId":"E7","teamId":"T7"},"channel":"C1","time":"09:00","owner":"U1","id":"s1","day":{"kind":"weekly","weekday":1},"due":1795258800000}
schedules E7/T7/s2 {"tenant":{"enterpriseId":"E7","teamId":"T7"},"channel":"C1","time":"09:00","owner":"U1","id":"s2","day":{"kind":"monthly","day":"last"},"due":1795258800000,"paused":{}}
schedules E7/T7/s3 {"tenant":{"enterpriseId":"E7","teamId":"T7"},"channel":"C1","time":"09:00","owner":"U1","id":"s3","day":{"kind":"billing-date"},"due":1795258800000,"paused":{"why":"the channel is archived"},"billingDay":"2026-12-01"}
table-support E7/T7 {"value":{"accepted":false,"refusedUntil":1795258800000}}
workspace-settings E7/T7 {"value":{"zone":"Europe/Berlin"}}`,
  },
]
