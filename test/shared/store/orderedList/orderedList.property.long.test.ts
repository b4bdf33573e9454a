import { describeOrderedList } from "./describeOrderedList.ts";

describeOrderedList(100);
