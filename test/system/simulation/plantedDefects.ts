/** A defect of the kind that the simulation must find: a replacement in one source file. */
export interface PlantedDefect {
  name: string;
  /** relative to the root of the repository */
  file: string;
  /** texts that must each occur in the file exactly once, with their replacements */
  replacements: readonly (readonly [before: string, after: string])[];
  /** Set if other histories than those of a business find it. */
  histories?: "webhooks" | "insights";
}

/** Each removes one defense of replication, of the ordered lists, of deliveries or of insights. */
export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: "data transactions do not check the fence",
    file: "shared/store/orderedList/fence.ts",
    replacements: [["(stands) => table.transact([stands, ...writes])", "() => table.transact([...writes])"]],
  },
  {
    name: "the lease is taken without a condition",
    file: "shared/domain/replication/acquireLease.ts",
    replacements: [["await table.put(item, free);", "await table.put(item);"]],
  },
  {
    name: "records are compared by reads that lag",
    file: "shared/store/orderedList/recordWriter.ts",
    replacements: [["consistent || (await this.#mayLag(pending.keys()))", "consistent"]],
  },
  {
    name: "time runs backwards in a list",
    file: "shared/store/orderedList/orderState.ts",
    replacements: [['[utcDay(now), newestDay(state) ?? ""].sort().at(-1) as string;', "utcDay(now);"]],
  },
  {
    name: "the years of a list need not fit each other",
    file: "shared/store/orderedList/dayIndex.ts",
    replacements: [["if (needsFit && !hasConsistentYears(dayIndexes, from))", "if (false)"]],
  },
  {
    name: "a writer keeps its state after a rejected transaction",
    file: "shared/store/orderedList/recordWriter.ts",
    replacements: [["this.#known = noListStates;\n      const planned", "const planned"]],
  },
  {
    name: "daily snapshots are taken before the outbox is followed",
    file: "shared/domain/replication/locationLists.ts",
    replacements: [["    await this.updateLists();\n    await keepDailySnapshots", "    await keepDailySnapshots"]],
  },
  {
    name: "a webhook position's generation is ignored",
    file: "shared/domain/webhooks/deliveryLease.ts",
    replacements: [
      [
        'expression: "holder = :holder AND epoch = :epoch AND seq = :seq",',
        'expression: "holder = :holder AND seq = :seq",',
      ],
      ['":holder": holder, ":epoch": epoch, ":seq": seq', '":holder": holder, ":seq": seq'],
      ["const { holder, epoch, seq }", "const { holder, seq }"],
    ],
    histories: "webhooks",
  },
  {
    name: "days that a page covers whole are read without exact slots",
    file: "shared/store/orderedList/readPage.ts",
    replacements: [
      [
        "const ranks = await findRanks(table, order, parts, { consistent });",
        `const isWhole = ({ counts, skip, take }) => skip === 0 && take === counts.active;
        const others = parts.filter((part) => !isWhole(part));
        const exact = await findRanks(table, order, others, { consistent });
        const slots = parts.filter(isWhole).flatMap(({ day, counts }) =>
          Array.from({ length: counts.allocated }, (_, slot) => day + "#" + String(slot).padStart(8, "0")));
        const ranks = [...exact, ...slots].sort().reverse();`,
      ],
    ],
  },
  {
    name: "a cursor's generation is ignored",
    file: "shared/store/orderedList/listCursor.ts",
    replacements: [
      ["isCurrent: (generation) => epoch.equals(digestGeneration(table, generation))", "isCurrent: () => true"],
    ],
  },
  {
    name: "the changes of a list skip gaps",
    file: "shared/store/orderedList/readChanges.ts",
    replacements: [
      [
        "gap < 0 ? oldestFirst : oldestFirst.slice(0, gap)",
        "gap < 0 ? oldestFirst : oldestFirst.filter((rank) => values.has(rank))",
      ],
    ],
  },
  {
    name: "the outbox is emptied before its records are followed",
    file: "shared/domain/replication/locationLists.ts",
    replacements: [
      [
        "    for (const [locationId, ofLocation] of",
        "    await this.#empty(items);\n    for (const [locationId, ofLocation] of",
      ],
      [
        `    const deletes = items.map(({ pk, sk }) => table.deleteWrite({ pk, sk }));
    await retryOnConflict(clock, () => transactFenced(table, fence, deletes), { deadline: cutOff });
  }
`,
        `  }

  async #empty(items: readonly Item[]): Promise<void> {
    const { table, fence, clock, cutOff } = this.#context;
    const deletes = items.map(({ pk, sk }) => table.deleteWrite({ pk, sk }));
    await retryOnConflict(clock, () => transactFenced(table, fence, deletes), { deadline: cutOff });
  }
`,
      ],
    ],
  },
  {
    name: "the position is saved before the page is written",
    file: "shared/domain/replication/pullRecords.ts",
    replacements: [
      [
        "  const written = made.size > 0 ?",
        '  if ("position" in page.next) await progress.lease.save(page.next.position, counts, page.total);\n  const written = made.size > 0 ?',
      ],
      ["    await lease.save(position, counts, total);\n", ""],
    ],
  },
  {
    name: "bitmaps are not compared with counts",
    file: "shared/store/orderedList/slotItems.ts",
    replacements: [["if (!fits) throw", "if (false) throw"]],
  },
  {
    name: "a sale that moves stays in the totals of its former day",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [["    if (from) {", "    if (from && from.day === to.day) {"]],
  },
  {
    name: "the digest of a list with several years does not change",
    file: "shared/store/orderedList/planMoves.ts",
    replacements: [
      [
        "digest && addDigests(digest, digestChange)",
        "digest && (years.length > 1 ? digest : addDigests(digest, digestChange))",
      ],
    ],
  },
  {
    name: "a fingerprint is used although its record has left the position",
    file: "shared/store/orderedList/recordWriter.ts",
    replacements: [
      ["candidates.filter(([, position]) => isTaken(position, loaded.slots, rank.segmentSize))", "candidates"],
    ],
  },
  {
    name: "a change that leaves the sums of a day, such as an erasure, does not raise its revision",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [
      [
        "completedAt === null ? 0 : revision + 1",
        "completedAt === null ? 0 : revision + Number(JSON.stringify(rest.figures) !== JSON.stringify(before(day).figures))",
      ],
    ],
  },
  {
    name: "no event reports a revised day",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [
      [
        "        ...(revision > earlier.revision ? [table.putWrite({ ...revisedDayKey(partition, day), revision })] : []),\n",
        "",
      ],
    ],
  },
  {
    name: "days are completed without the fence",
    file: "shared/domain/replication/completeSalesDays.ts",
    replacements: [["writes: [stands, ...writes]", "writes"]],
  },
  {
    name: "the digest of locations follows their changes",
    file: "shared/store/orderedList/transactionPlanner.ts",
    replacements: [["...(hasUpdated && { svc_updated_date: stamp })", "svc_updated_date: stamp"]],
  },
  {
    name: "the fingerprints of erased customers remain",
    file: "shared/domain/replication/eraseCustomer.ts",
    replacements: [
      ["return removePartition(table, fingerprintsPartition(list), () => {});", "return Promise.resolve();"],
    ],
  },
  {
    name: "a rebuild leaves days open",
    file: "shared/domain/replication/rebuildLists.ts",
    replacements: [['  if (kind === "sale") await lease.recheckCompletedDays();\n', ""]],
  },
  {
    name: "an interrupted first completion forgets days without sales",
    file: "shared/domain/replication/completeSalesDays.ts",
    replacements: [["this.#checksAll ? await this.#lastDayToSkip() : this.#before?.until", "this.#before?.until"]],
  },
  {
    name: "a completion raises the revision",
    file: "shared/domain/replication/completeSalesDays.ts",
    replacements: [["completedAt: at, updatedAt:", "completedAt: at, revision: 1, updatedAt:"]],
  },
  {
    name: "a complete day without sales is dropped",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [["if (totals.completedAt === null && !totals.figures.records)", "if (!totals.figures.records)"]],
  },
  {
    name: "a day is completed before its end",
    file: "shared/domain/replication/completeSalesDays.ts",
    replacements: [
      ["return addDays(localDay(new Date(dataAsOf), timezone), -1);", "return localDay(new Date(dataAsOf), timezone);"],
    ],
  },
  {
    name: "an event reports an earlier revision",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [
      ["revisedDayKey(partition, day), revision }", "revisedDayKey(partition, day), revision: revision - 1 }"],
    ],
  },
  {
    name: "a void sale leaves the digest of its day",
    file: "shared/store/salesDays/salesWeek.ts",
    replacements: [
      [
        "digest: addDigests(digest, to.digest) };",
        "digest: to.figures.adjustments ? digest : addDigests(digest, to.digest) };",
      ],
    ],
  },
  {
    name: "each run reports the same revisions again",
    file: "shared/domain/replication/announceSalesDays.ts",
    replacements: [["{ writes: part.map((item) => deletion(table, item, fields)), events }", "{ writes: [], events }"]],
  },
  {
    name: "sales are not checked again after a change of the state",
    file: "shared/domain/replication/recheckSales.ts",
    replacements: [["before.by === by ? before", 'before.by !== "" ? before']],
  },
  {
    name: "a pull that leaves out most of the stock needs no confirmation",
    file: "shared/domain/replication/confirmPull.ts",
    replacements: [["isWaiting = isMoreLeftOut || !isConfirmedSince(unconfirmed?.since)", "isWaiting = false"]],
  },
  {
    name: "an empty first pull needs no confirmation",
    file: "shared/domain/replication/confirmPull.ts",
    replacements: [["let isWaiting = isEmpty && !isConfirmedSince(empty_since);", "let isWaiting = false;"]],
  },
  {
    name: "insights follow from a list of sales that lags",
    file: "shared/domain/insights/computeInsights.ts",
    replacements: [["if (digest !== expected && !isDamaged)", "if (false)"]],
    histories: "insights",
  },
  {
    name: "a changed day is not read again for insights",
    file: "shared/domain/insights/computeInsights.ts",
    replacements: [["if (known?.digest === current)", "if (known)"]],
    histories: "insights",
  },
  {
    name: "an insight that does not hold any more is deleted",
    file: "shared/domain/insights/computeInsights.ts",
    replacements: [
      [
        "insightWrites(this.#table, spId, stored, revision));",
        `stored.insight.status === "withdrawn"
          ? [this.#table.deleteWrite(stored.key)]
          : insightWrites(this.#table, spId, stored, revision));`,
      ],
    ],
    histories: "insights",
  },
  {
    name: "no event reports that an insight is withdrawn",
    file: "shared/domain/insights/computeInsights.ts",
    replacements: [['if (kind === "updated" ||', 'if (kind !== "raised" ||']],
    histories: "insights",
  },
  {
    name: "the first judged day moves with the newest one",
    file: "shared/domain/insights/computeInsights.ts",
    replacements: [["const since = stored?.since ?? addDays", "const since = addDays"]],
    histories: "insights",
  },
  {
    name: "an insight is stored without a condition",
    file: "shared/domain/insights/storedInsight.ts",
    replacements: [['      unchanged("revision", revision),\n', ""]],
    histories: "insights",
  },
  {
    name: "an insight that holds again is counted as the first one",
    file: "shared/domain/insights/storedInsight.ts",
    replacements: [["occurrence: occurrence + 1,", "occurrence,"]],
    histories: "insights",
  },
  {
    name: "new figures of an insight drop its decisions",
    file: "shared/domain/insights/storedInsight.ts",
    replacements: [["const next = { ...insight, ...content,", "const next = { ...insight, ...content, history: [],"]],
    histories: "insights",
  },
  {
    name: "the latest figures of an insight stay those of its first computation",
    file: "shared/domain/insights/storedInsight.ts",
    replacements: [["if (isClosed(insight)) content.latest", "content.latest"]],
    histories: "insights",
  },
  {
    name: "a rebuild leaves the list of insights as it is",
    file: "shared/domain/insights/correctInsightLists.ts",
    replacements: [["if (!isCheck) for (const item of wrong)", "if (isCheck) for (const item of wrong)"]],
    histories: "insights",
  },
  {
    name: "a statement shows later decisions",
    file: "shared/domain/statements/insightAsOf.ts",
    replacements: [["({ date }) => date <= asOf", "() => true"]],
    histories: "insights",
  },
];
